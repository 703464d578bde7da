import Testing

@testable import SignalRepository

@Suite("Aggregates that follow the change") struct GroupsMaintainerTests {
    @Test("R4 An aggregate that could not be read takes no rows in before it has been read")
    func unread() throws {
        let memory = try Memory<Box<Int>>()
        try memory.insert(Box(id: 1, value: 7))
        let session = Session(memory.connection)
        let aggregation = Result { () throws(RepositoryError) in
            try Aggregation(AggregateFunction<Int, Int>.sum, of: \Box<Int>.value, where: nil)
        }
        let query = LiveQuery { store in try aggregation.get().value(in: store) }.following(aggregation)
        let maintainer = try #require(query.maintainer?(true))
        #expect(try maintainer.fill(in: ReadTransaction(session, CancellationFlag())) == 7)
        let layout = try #require(try memory.connection.tableLayouts()["Box"])
        let changes = TableChanges(
            layout,
            [
                RowChange(
                    key: .value(.integer(2)), old: nil, new: [.integer(2), .integer(3)], ids: RowIDs(old: 2, new: 2))
            ])
        let cancelled = CancellationFlag()
        cancelled.cancel()
        #expect(throws: RepositoryError.self) { try maintainer.fill(in: ReadTransaction(session, cancelled)) }
        #expect(maintainer.apply(changes) == .lost)
        #expect(try maintainer.fill(in: ReadTransaction(session, CancellationFlag())) == 7)
        #expect(maintainer.apply(changes) == .patched)
        #expect(try maintainer.output() == 10)
    }
}
