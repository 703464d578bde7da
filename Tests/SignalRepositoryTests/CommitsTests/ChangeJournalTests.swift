import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("The journal of changed rows") struct ChangeJournalTests {
    private let layout = TableLayout(
        name: "t", columns: [TableLayout.Column(name: "id", affinity: .blob, absent: .null)], key: [0], hasRowID: true,
        isFollowed: true)

    private func insert(_ numbers: ClosedRange<Int64>, into journal: inout ChangeJournal) {
        for number in numbers {
            let ids = RowIDs(old: number, new: number)
            journal.append(layout, .value(.integer(number)), old: nil, new: [.integer(number)], ids)
        }
    }

    @Test("R5 After a rollback to a savepoint, all rows of a failed statement are doubtful")
    func doubtsAfterRollback() {
        var journal = ChangeJournal()
        journal.savepoint(.begin)
        insert(1...3, into: &journal)
        journal.endStatement(isFailed: false)
        journal.savepoint(.rollback)
        insert(4...5, into: &journal)
        journal.endStatement(isFailed: true)
        #expect(journal.doubtful.map(\.key) == [.value(.integer(4)), .value(.integer(5))])
    }

    @Test("R5 A rollback drops the doubtful rows and the incomplete mark of its savepoint, but nothing earlier")
    func doubtsBefore() {
        var journal = ChangeJournal()
        insert(1...2, into: &journal)
        journal.endStatement(isFailed: true)
        journal.savepoint(.begin)
        insert(3...4, into: &journal)
        journal.endStatement(isFailed: true)
        journal.markIncomplete()
        journal.savepoint(.rollback)
        #expect(journal.doubtful.map(\.key) == [.value(.integer(1)), .value(.integer(2))])
        #expect(journal.isComplete)
        #expect(journal.net()["t"]?.changes.count == 2)
    }

    @Test("R17 The journal discards the changes of a dropped table and keeps those of all others")
    func dropped() {
        let other = TableLayout(name: "other", columns: layout.columns, key: [0], hasRowID: true, isFollowed: true)
        var journal = ChangeJournal()
        insert(1...3, into: &journal)
        journal.append(other, .value(.integer(1)), old: nil, new: [.integer(1)], RowIDs(old: 1, new: 1))
        journal.drop("t")
        #expect(journal.net().mapValues(\.changes.count) == ["other": 1])
        #expect(journal.isComplete)
    }

    @Test(
        "R14 The net effect is per row, whatever the order and number of its changes",
        arguments: [
            [1, 2, 3], [3, 2, 1], [1, 3, 2, 3, 1], [5, 5, 5], [.max, .min, 0, .min, .max], [7], [],
        ] as [[Int64]])
    func order(numbers: [Int64]) throws {
        let pair = TableLayout(
            name: "t", columns: ["id", "n"].map { TableLayout.Column(name: $0, affinity: .blob, absent: .null) },
            key: [0], hasRowID: true, isFollowed: true)
        for makeKey in [{ RowKey.number($0) }, { .value(.integer($0)) }, { .value(.text("\($0)")) }] {
            var journal = ChangeJournal()
            var expected: [Int64: (old: Int64, new: Int64)] = [:]
            for (step, number) in numbers.enumerated() {
                let (old, new) = (expected[number]?.new ?? -1, Int64(step))
                expected[number] = (expected[number]?.old ?? old, new)
                journal.append(
                    pair, makeKey(number), old: [.integer(number), .integer(old)],
                    new: [.integer(number), .integer(new)], RowIDs(old: number, new: number))
            }
            let changes = journal.net()["t"]
            #expect(changes?.changes.count ?? 0 == expected.count)
            for (number, values) in expected {
                let change = try #require(changes?.change(of: makeKey(number)))
                #expect(change.old == [.integer(number), .integer(values.old)])
                #expect(change.new == [.integer(number), .integer(values.new)])
            }
            #expect(changes?.change(of: makeKey(99)) == nil)
        }
    }
}
