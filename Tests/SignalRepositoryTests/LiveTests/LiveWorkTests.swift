import Foundation
import Signals
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("The work of a pass of the live engine") struct LiveWorkTests {
    private static let layout = TableLayout(
        name: "Box", columns: ["id", "value"].map { TableLayout.Column(name: $0, affinity: .blob, absent: .null) },
        key: [0], hasRowID: true, isFollowed: true)

    /// A commit that inserts a row.
    private static var commit: CommitRecord {
        let change = RowChange(
            key: .value(.integer(1)), old: nil, new: [.integer(1), .integer(5)], ids: RowIDs(old: 1, new: 1))
        let rows = ChangedRows.known(["Box": TableChanges(layout, [change])], of: .some(["Box"]))
        return CommitRecord(number: 1, time: .distantPast, tables: .some(["Box"]), rows: rows)
    }

    private static let unknown = CommitRecord(number: 2, time: .distantPast, tables: .some(["Box"]), rows: .notCaptured)

    private func index(_ queries: Scripted...) -> LiveIndex {
        var index = LiveIndex()
        for query in queries { index.keep(query, reading: ["Box"]) }
        return index
    }

    @Test("R17 A query that the rows do not concern needs no work, and one that is updated in place is not read")
    func patched() {
        let (unaffected, patched) = (Scripted([.unaffected, .unaffected]), Scripted([.updatedInPlace, .unaffected]))
        let index = index(unaffected, patched)
        var work = LiveWork()
        let matched = [work.take(Self.commit, index), work.take(Self.commit, index)]
        #expect(matched == [2, 2] && !work.hasReads)
        let taken = [work.take(.updatedInPlace), work.take(.updatedInPlace)].map { $0.map { ObjectIdentifier($0) } }
        #expect(taken == [[ObjectIdentifier(patched)], []])
        #expect(work.takeAll().isEmpty)
    }

    @Test(
        "R4 The greatest effect decides: a query that needs a refill takes more rows, one that needs a re-read none")
    func most() {
        let (usedUp, lost) = (Scripted([.needsRefill, .updatedInPlace]), Scripted([.needsReread]))
        let index = index(usedUp, lost)
        var work = LiveWork()
        let matched = [work.take(Self.commit, index), work.take(Self.commit, index)]
        #expect(matched == [2, 2] && work.hasReads)
        #expect(usedUp.applied == 2 && lost.applied == 1)
        #expect(work.take(.updatedInPlace).isEmpty)
        #expect(Set(work.takeAll().map(\.effect)) == [.needsRefill, .needsReread])
        #expect(!work.hasReads && work.takeAll().isEmpty)
    }

    @Test("R14 After a commit of unknown rows, every query of its tables is read")
    func unknown() {
        let (one, other) = (Scripted([.updatedInPlace]), Scripted([]))
        let index = index(one, other)
        var work = LiveWork()
        _ = work.take(Self.commit, index)
        #expect(work.take(Self.unknown, index) == 0)
        #expect(work.take(.updatedInPlace).isEmpty)
        #expect(work.takeAll().map(\.effect) == [.needsReread, .needsReread])
    }

    @Test("S34 A removed query needs no more work")
    func removed() {
        let (gone, other) = (Scripted([.updatedInPlace]), Scripted([.needsRefill]))
        var work = LiveWork()
        _ = work.take(Self.commit, index(gone, other))
        work.remove(gone)
        work.remove(other)
        #expect(!work.hasReads && work.take(.updatedInPlace).isEmpty && work.takeAll().isEmpty)
    }
}

/// A query that answers each change with the next of the given effects, and then with `.needsReread`.
private final class Scripted: SharedQuery {
    private let answers: Lock<(effects: [UpdateEffect], applied: Int)>
    let cancellation = CancellationFlag()
    let identity: LiveIdentity? = nil
    let use: [String: RowFilter]? = ["Box": .any]
    let due: Date? = nil
    let source = LatestSource(isSame: { (one: Int, other: Int) in one == other })
    let subscriptions: ContiguousArray<LatestOutbox> = []

    var applied: Int { answers.withLock { $0.applied } }

    init(_ effects: [UpdateEffect]) { answers = Lock((Array(effects.reversed()), 0)) }

    func apply(_ changes: TableChanges) -> UpdateEffect {
        answers.withLock { answers in
            answers.applied += 1
            return answers.effects.popLast() ?? .needsReread
        }
    }

    func refresh(in transaction: ReadTransaction, commit: Int, isRefill: Bool) throws -> FanOut? { nil }
    func advance(to time: Date) -> UpdateEffect { .unaffected }
    func readKeys(in transaction: ReadTransaction) -> UpdateEffect { .needsReread }
    func sendUpdated(commit: Int) -> FanOut? { nil }
    func join(_ subscription: LatestOutbox, commit: Int, isDue: Bool) -> Bool { false }
    func leave(_ subscription: LatestOutbox) -> Bool { false }
    func fail(_ error: RepositoryError) {}
}
