import Testing

@testable import SignalRepository

@Suite("Live queries by the rows that they can use") struct LiveIndexTests {
    private static let layout = TableLayout(
        name: "Box", columns: ["id", "value"].map { TableLayout.Column(name: $0, isReal: false, absent: .null) },
        key: [0], hasRowID: true, isExact: true)

    /// A query of each kind: of any row, of those with a value or one of several, of a range, and one that reads anew.
    private func nodes() -> [any LiveNode] {
        let conditions: [Condition<Box<Int>>?] = [
            nil, \.value == 5, .isIn(\.value, [4, 5, 6]), \.value > 2, \.value < 9,
        ]
        let maintained = conditions.map { condition -> any LiveNode in
            let aggregation = Result { () throws(RepositoryError) in
                try Aggregation(AggregateFunction<Int, Int>.sum, of: \Box<Int>.value, where: condition, isLive: true)
            }
            return QueryNode(LiveQuery { store in try aggregation.get().value(in: store) }.following(aggregation))
        }
        return maintained + [QueryNode(LiveQuery { _ in 0 })]
    }

    private func ids(_ nodes: [any LiveNode]) -> Set<ObjectIdentifier> { Set(nodes.map { ObjectIdentifier($0) }) }

    @Test("R17 Of queries that have gone nothing is left, and nobody asks for the rows of their table any more")
    func gone() {
        let nodes = nodes() + nodes()
        var index = LiveIndex()
        for node in nodes { index.keep(node, reading: ["Box"]) }
        for node in nodes {
            #expect(index.usefulTables == ["Box"] || node.use == nil)
            index.remove(node)
        }
        #expect(index.usefulTables.isEmpty)
        for part in Mirror(reflecting: index).children {
            #expect((part.value as? any Collection)?.isEmpty == true, "\(part)")
        }
    }

    @Test("R14 A query that goes leaves those that are told of the same rows in their places")
    func others() {
        let (leaving, staying) = (nodes(), nodes())
        var index = LiveIndex()
        for node in leaving + staying { index.keep(node, reading: ["Box"]) }
        for node in leaving { index.remove(node) }
        let change = RowChange(
            key: .value(.integer(1)), old: nil, new: [.integer(1), .integer(5)], ids: RowIDs(old: 1, new: 1))
        let rows = ChangedRows.known(["Box": TableChanges(Self.layout, [change])], of: .some(["Box"]))
        let known = index.match(CommitRecord(number: 1, tables: .some(["Box"]), rows: rows))
        #expect(known.apply.count == 5 && ids(known.apply.map(\.node)) == ids(staying.filter { $0.use != nil }))
        #expect(ids(known.rerun) == ids(staying.filter { $0.use == nil }))
        let unknown = index.match(CommitRecord(number: 2, tables: .some(["Box"]), rows: .notCaptured))
        #expect(unknown.apply.isEmpty && ids(unknown.rerun) == ids(staying))
    }
}
