import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("The aggregate state of a group") struct AggregateStateTests {
    @Test("A value that cannot be in the group is not removed", arguments: [true, false])
    func remove(hasExtremes: Bool) {
        var state = AggregateState(hasExtremes ? [.count, .minimum, .maximum] : [.count])
        #expect(state.remove(.null) && state.remove(.integer(5)) == false)
        state.add(.null)
        #expect(state.remove(.integer(5)) == false)
        state.add(.integer(5))
        #expect(state.remove(.integer(5)) && state.remove(.integer(5)) == false)
    }

    @Test("A row that cannot be in its group is not removed")
    func removeRow() throws {
        var group = GroupState(rows: 0, [AggregateState(), AggregateState([.count, .minimum])])
        let statement = try Film.all.grouped { $0.studio }.aggregate { ($0.id.min(), $0.boxOffice.sum()) }.statement
            .get()
        let layout = try #require(try Memory(Film.self).connection.tableLayouts()["Film"])
        let plan = try #require(GroupPlan(statement, StoreRules(isSQLite: true)))
        let rows = try #require(GroupRows(plan, layout))
        var row = [SQLValue](repeating: .null, count: layout.columns.count)
        row[try #require(layout.index(of: "boxOffice"))] = .integer(7)
        let inputs = try #require(try rows.part(of: row)).inputs
        #expect(group.remove(inputs) == false)
        group.add(inputs)
        #expect(group.remove(inputs) && group.rows == 0 && group.remove(inputs) == false)
    }

    @Test("A sum without a count adds and removes values, and is never NULL")
    func uncounted() throws {
        var state = AggregateState([.exactSum])
        state.add(.integer(.max))
        #expect(state.remove(.integer(5)) && state.remove(.integer(.max)) && state.remove(.integer(.max)))
        #expect(try state.result(.exactSum) == .text("-9223372036854775812"))
        #expect(throws: RowFault.self) { try state.result(.sum) }
        #expect(state.remove(.integer(-5)) && state.remove(.integer(-.max)))
        #expect(try state.result(.exactSum) == .integer(0) && state.result(.sum) == .integer(0))
    }
}
