import Foundation
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository
@testable import Signals

/// Passes made by the thread that adds external commits to the log, as the thread of a server's stream does.
@Suite("R1 R3 A thread that adds commits makes the pass", .timeLimit(.minutes(10))) final class AddingHereTests {
    private let log = CommitLog()
    private let queue = Executor(label: "live")
    private let admission = Executor(label: "admission")
    private let engine: LiveEngine
    private let layout: TableLayout
    private let counts = Recorder<Committed<Int>, RepositoryError>()

    init() throws {
        let memory = try Memory<Box<Int>>()
        layout = try #require(try memory.connection.tableLayouts()["Box"])
        // Safe because only the live queue uses it from now on.
        nonisolated(unsafe) let connection = memory.connection
        engine = LiveEngine(queue: queue, log: log, source: SQLiteCommitSource(), ownsSession: false) {
            () throws(RepositoryError) in (Session(connection), connection)
        }
    }

    // An open engine refers to itself.
    deinit { engine.close {} }

    /// Begins to count the rows of the empty table, and returns once the queue is idle.
    private func follow() async -> LatestOutbox {
        let counting = LiveQuery { try $0.count(Box<Int>.self) }.following(
            Result { () throws(RepositoryError) in try Aggregation<Box<Int>, Int>(.rows, of: nil, over: Box.all) })
        let outbox = LiveEngineTests.outbox(of: counts)
        #expect(engine.add(LiveArrival(outbox, counting, in: SQLiteDialect())))
        #expect(await counts.values(1) == [Committed(commit: 0, value: 0)])
        // A pass delivers its values after it has left the queue, and so does the pass before.
        let isIdle = Gate()
        queue.async { Executor.deliver { isIdle.open() } }
        await isIdle.opened()
        return outbox
    }

    /// Returns when no thread is in the sink; such a thread would deliver the next value.
    private func leave(_ outbox: LatestOutbox) {
        while !outbox.isIdle { sched_yield() }
    }

    /// Adds a commit of inserted rows, or one of unknown rows if `ids` is empty, and calls `then` on the adding thread,
    /// which is still in its executor.
    private func add(_ ids: some Collection<Int64>, then: @escaping @Sendable () -> Void = {}) async {
        let changes = ids.map { id in
            RowChange(
                key: .value(.integer(id)), old: nil, new: [.integer(id), .integer(id)], ids: RowIDs(old: id, new: id))
        }
        let rows = ChangedRows.known(["Box": TableChanges(layout, changes)], of: .some(["Box"]))
        let commit = UnnumberedCommit(tables: .some(["Box"]), rows: changes.isEmpty ? .unknown : rows)
        await withCheckedContinuation { [admission, log] continuation in
            admission.async {
                log.addOnThisThread { _ in [commit] }
                then()
                continuation.resume()
            }
        }
    }

    /// Keeps the queue busy until the returned gate is opened.
    private func occupy() async -> Gate {
        let (isBusy, mayGo) = (Gate(), Gate())
        queue.async {
            isBusy.open()
            mayGo.wait()
        }
        await isBusy.opened()
        return mayGo
    }

    /// Follows the table by numbered reads, and by a count; the returned function waits for the next read, and expects
    /// that another thread makes it.
    private func read() async -> (Recorder<Committed<Int>, RepositoryError>, isElsewhere: @Sendable () -> Void) {
        let (others, reads) = (Recorder<Committed<Int>, RepositoryError>(), Lock<[ObjectIdentifier]>([]))
        let isRead = Gate()
        let reading = LiveQuery { store in
            _ = try store.rows("SELECT count(*) FROM Box")
            defer { isRead.open() }
            return reads.withLock { reads in
                reads.append(Self.here())
                return reads.count
            }
        }
        #expect(LiveEngineTests.attach(others, reading, engine))
        _ = await others.values(1)
        await isRead.opened()
        _ = await follow()
        return (
            others,
            {
                isRead.wait()
                #expect(reads.withLock { $0.last != Self.here() })
            }
        )
    }

    private static func here() -> ObjectIdentifier { ObjectIdentifier(Thread.current) }

    @Test("It updates in place, and delivers after it has left its executor", arguments: [1, 2, 3, 1_000] as [Int64])
    func patching(count: Int64) async {
        let outbox = await follow()
        for commit in 1...3 {
            leave(outbox)
            let first = Int64(commit - 1) * count
            await add(first..<first + count) { [engine, counts] in
                #expect(engine.statistics.updatedInPlace == commit && counts.values.count == commit)
            }
            #expect(
                await counts.values(commit + 1).last == Committed(commit: commit, value: commit * Int(count)))
        }
        // Work that may take longer is left to a thread of the live queue.
        await add(3 * count..<3 * count + 1_001)
        #expect(await counts.values(5).last?.value == 3 * Int(count) + 1_001)
    }

    @Test("It reads nothing; a thread of the live queue does") func reading() async {
        let (others, isElsewhere) = await read()
        for commit in 1...3 {
            await add([Int64(commit)], then: isElsewhere)
            #expect(await counts.values(commit + 1).last == Committed(commit: commit, value: commit))
            #expect(await others.values(commit + 1).last == Committed(commit: commit, value: commit + 1))
        }
        await add([], then: isElsewhere)
        #expect(await counts.values(until: { $0.commit == 4 }).last?.value == 0)
    }

    @Test("While another pass is at work, a pass waits, and is made before the engine closes", arguments: [0, 1])
    func closing(reads: Int) async {
        let others = reads == 0 ? counts : await read().0
        if reads == 0 { _ = await follow() }
        let mayGo = await occupy()
        await add([1])
        await add([2])
        let isClosed = Gate()
        engine.close { isClosed.open() }
        mayGo.open()
        await isClosed.opened()
        for recorder in [others, counts] { #expect(await recorder.end() == .failure(.closed)) }
        #expect(others.values.last == Committed(commit: 2, value: 2) && counts.values.last?.value == 2)
        let values = others.values
        await add([3])
        #expect(others.values == values && log.capture.interest.isEmpty)
    }
}
