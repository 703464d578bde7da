import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Live queries by the rows that they can use") struct LiveIndexTests {
    private static let layout = TableLayout(
        name: "Box", columns: ["id", "value"].map { TableLayout.Column(name: $0, affinity: .blob, absent: .null) },
        key: [0], hasRowID: true, isFollowed: true)

    /// One query of each kind: of any row, of one value, of several values, of ranges, and one that is re-read.
    private func queries() -> [any SharedQuery] {
        let conditions: [Condition<Box<Int>>?] = [
            nil, Condition { $0.value == 5 }, Condition { $0.value.isIn([4, 5, 6]) }, Condition { $0.value > 2 },
            Condition { $0.value < 9 },
        ]
        let maintained = conditions.map { condition -> any SharedQuery in
            let aggregation = Result { () throws(RepositoryError) in
                try Aggregation(AggregateFunction<Int, Int>.sum, of: \Box<Int>.value, over: Box.where(condition))
            }
            return TypedSharedQuery(
                LiveQuery { store in try aggregation.get().value(in: store) }.following(aggregation))
        }
        return maintained + [TypedSharedQuery(LiveQuery { _ in 0 })]
    }

    private func ids(_ queries: [any SharedQuery]) -> Set<ObjectIdentifier> {
        Set(queries.map { ObjectIdentifier($0) })
    }

    @Test("R17 Removed queries leave nothing in the index, and no budget for their table")
    func gone() {
        let queries = queries() + queries()
        var index = LiveIndex()
        for query in queries { index.keep(query, reading: ["Box"]) }
        for query in queries {
            #expect(Array(index.budgets.keys) == ["Box"] || query.use == nil)
            index.remove(query)
        }
        #expect(index.budgets.isEmpty)
        for part in Mirror(reflecting: index).children {
            #expect((part.value as? any Collection)?.isEmpty == true, "\(part)")
        }
    }

    @Test("R14 Removing a query keeps the others that can use the same rows")
    func others() {
        let (leaving, staying) = (queries(), queries())
        var index = LiveIndex()
        for query in leaving + staying { index.keep(query, reading: ["Box"]) }
        for query in leaving { index.remove(query) }
        let change = RowChange(
            key: .value(.integer(1)), old: nil, new: [.integer(1), .integer(5)], ids: RowIDs(old: 1, new: 1))
        let rows = ChangedRows.known(["Box": TableChanges(Self.layout, [change])], of: .some(["Box"]))
        let known = index.match(CommitRecord(number: 1, time: .distantPast, tables: .some(["Box"]), rows: rows))
        #expect(known.apply.count == 5 && ids(known.apply.map(\.query)) == ids(staying.filter { $0.use != nil }))
        #expect(ids(known.reread) == ids(staying.filter { $0.use == nil }))
        let unknown = index.match(
            CommitRecord(number: 2, time: .distantPast, tables: .some(["Box"]), rows: .notCaptured))
        #expect(unknown.apply.isEmpty && ids(unknown.reread) == ids(staying))
    }

    @Test("R17 The cost of a re-read sets the budget of useful rows, and small differences do not change it")
    func budgets() throws {
        let (query, other) = (queries()[0], queries()[1])
        var index = LiveIndex()
        for (cost, budget) in [(0, 1_024), (15, 10_000), (20, 10_000), (8, 10_000), (9_000, 32_768), (6, 4_000)] {
            index.keep(query, reading: ["Box"], for: .milliseconds(cost))
            #expect(index.budgets == ["Box": budget])
        }
        index.keep(other, reading: ["Box"], for: .milliseconds(24))
        #expect(index.budgets == ["Box": 20_000])
        index.remove(query)
        #expect(index.budgets == ["Box": 20_000])
        index.keep(other, reading: ["Box"], for: .zero)
        #expect(index.budgets == ["Box": 1_024])
    }
}
