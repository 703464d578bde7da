import Dispatch
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("The log of commits", .timeLimit(.minutes(10))) struct CommitLogTests {
    private final class Reader: LogReader {
        let wakes = Lock(0)
        func wake() { wakes.withLock { $0 += 1 } }
        func logClosed() {}
    }

    /// A reader that does its work on the thread that wakes it.
    private final class Worker: LogReader {
        let done = Lock<[String]>([])
        func wake() { done.withLock { $0.append("woken") } }
        func wakeOnThisThread(rows: Int) { done.withLock { $0.append("here, \(rows) rows") } }
        func logClosed() {}
    }

    @Test("R14 The thread that adds commits does the work of a single reader, and wakes several readers")
    func here() {
        let (log, reader, worker) = (CommitLog(), Reader(), Worker())
        func add(_ tables: DirtyTables...) {
            log.addOnThisThread { _ in tables.map { UnnumberedCommit(tables: $0, rows: .unknown) } }
        }
        add(.all)
        #expect(log.subscribe(worker, capturing: .none, includesUncaptured: true))
        add(.some(["a"]), .some(["b"]))
        #expect(worker.done.withLock { $0 } == ["here, 0 rows"])
        #expect(log.subscribe(reader, capturing: .none, includesUncaptured: true))
        #expect(log.take(worker, capturing: .none, until: ["a"]).records.map(\.number) == [2, 3])
        // Only `reader` waits for this table, and it does no work on this thread.
        add(.some(["b"]))
        #expect(reader.wakes.withLock { $0 } == 1 && worker.done.withLock { $0.count } == 1)
        add(.some(["a"]), .some(["a"]))
        #expect(reader.wakes.withLock { $0 } == 2)
        #expect(worker.done.withLock { $0 } == ["here, 0 rows", "woken"])
        log.unsubscribe(reader)
        add()
        #expect(worker.done.withLock { $0.count } == 2)
        add(.all)
        #expect(worker.done.withLock { $0.count } == 3)
    }

    @Test("A4 R6 Subscribing, reading, reporting and cancelling do not wait for a commit or a snapshot")
    func inTurn() throws {
        let (log, reader, other) = (CommitLog(), Reader(), Reader())
        #expect(log.subscribe(reader, capturing: .none, includesUncaptured: true))
        func work() {
            log.recordExternalCommit(.some(["b"]))
            #expect(log.subscribe(other, capturing: .none, includesUncaptured: true))
            #expect(log.take(reader, capturing: .none).records.isEmpty)
            log.unsubscribe(other)
        }
        func records() -> [String] {
            log.take(reader, capturing: .none).records.map { "\($0.number) \($0.tables)" }
        }
        // A commit that is reported during the turn comes after it.
        try log.commit(.some(["a"])) { work() }
        #expect(records() == ["1 \(DirtyTables.some(["a"]))", "2 \(DirtyTables.some(["b"]))"])
        #expect(reader.wakes.withLock { $0 } == 2)
        #expect(throws: RepositoryError.closed) {
            try log.commit(.some(["a"])) { () throws(RepositoryError) in
                work()
                throw .closed
            }
        }
        #expect(records() == ["3 \(DirtyTables.some(["b"]))"])
        let (number, shown) = try log.open(reader) { number throws(RepositoryError) in
            work()
            return number == 3 ? [.external] : []
        }
        // The snapshot does not include the commit that was reported while it was taken.
        #expect(number == 4 && shown.map(\.number) == [4])
        #expect(records() == ["5 \(DirtyTables.some(["b"]))"])
    }

    @Test("A4 Commits and snapshots run one at a time, whichever threads make them")
    func oneTurn() {
        let (log, reader, confinement) = (CommitLog(), Reader(), Confinement())
        #expect(log.subscribe(reader, capturing: .none, includesUncaptured: true))
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for _ in 0..<500 {
                switch thread {
                case 0: log.recordExternalCommit()
                case 1:
                    _ = try? log.open(reader) { number throws(RepositoryError) in
                        let before = log.take(reader, capturing: .none).number
                        return confinement.during { before == number } ? [] : [.external]
                    }
                default: _ = try? log.commit(.all) { confinement.during {} }
                }
            }
        }
        #expect(log.number == 1_500)
    }

    @Test("R14 R17 A commit wakes a sleeping reader if it touches the awaited tables, or unknown ones")
    func waitingForTables() throws {
        let (log, reader, other) = (CommitLog(), Reader(), Reader())
        #expect(log.subscribe(reader, capturing: .none, includesUncaptured: true))
        #expect(log.subscribe(other, capturing: .none, includesUncaptured: true))
        func commit(_ tables: DirtyTables...) throws { for tables in tables { try log.commit(tables) {} } }
        func take(until tables: Set<String>?) -> [Int] {
            log.take(reader, capturing: .none, until: tables).records.map(\.number)
        }
        try commit(.some(["c"]))
        #expect(take(until: ["a", "b"]) == [1])
        try commit(.some(["c"]))
        #expect(reader.wakes.withLock { $0 } == 1)
        try commit(.some(["b", "c"]), .all)
        #expect(reader.wakes.withLock { $0 } == 3)
        #expect(take(until: []) == [3, 4])
        try commit(.some(["a"]))
        #expect(take(until: nil) == [])
        try commit(.some(["a"]))
        #expect(take(until: []) == [6])
        // A snapshot may show that other tables matter, so afterwards every commit wakes the reader.
        #expect(try log.open(reader) { _ in [] }.number == 6)
        try commit(.some(["a"]))
        #expect(take(until: nil) == [7] && log.take(other, capturing: .none).records.count == 7)
    }

    @Test("R14 The log reports the first reader's start and the last one's end in order", arguments: [1, 2, 3, 30])
    func activity(count: Int) {
        let reports = Lock<[Bool]>([])
        let log = CommitLog { hasReaders in reports.withLock { $0.append(hasReaders) } }
        DispatchQueue.concurrentPerform(iterations: count) { _ in
            let reader = Reader()
            for _ in 0..<500 {
                _ = log.subscribe(reader, capturing: .none)
                log.unsubscribe(reader)
            }
        }
        let all = reports.withLock { $0 }
        #expect(all.enumerated().allSatisfy { $0.element == $0.offset.isMultiple(of: 2) })
        #expect(all.last == false)
    }

    @Test("S29 A change signal that is cancelled does not wait for a commit")
    func cancel() async throws {
        let log = CommitLog()
        let recorder = Signal<ChangeSet, RepositoryError> { sink in
            let listener = ChangeListener(ChangeRequest(), sink, log: log)
            sink.receive(upstream: Upstream(request: { listener.request($0) }, cancel: { listener.cancel() }))
            listener.start()
        }.record()
        let (isCommitting, mayCommit, isCommitted) = (Gate(), Gate(), Gate())
        DispatchQueue(label: "test").async {
            _ = try? log.commit(.all) {
                isCommitting.open()
                mayCommit.wait()
            }
            isCommitted.open()
        }
        await isCommitting.opened()
        recorder.cancel()
        mayCommit.open()
        await isCommitted.opened()
        #expect(recorder.values.isEmpty)
    }

    @Test("S29 The log records nothing for a change signal that was cancelled")
    func cancelled() async {
        let isUnneeded = Gate()
        let log = CommitLog { hasReaders in if !hasReaders { isUnneeded.open() } }
        let recorder = Signal<ChangeSet, RepositoryError> { sink in
            let listener = ChangeListener(ChangeRequest(), sink, log: log)
            sink.receive(upstream: Upstream(request: { listener.request($0) }, cancel: { listener.cancel() }))
            listener.start()
        }.record()
        recorder.cancel()
        await isUnneeded.opened()
        #expect(log.capture.version == 2 && recorder.values.isEmpty)
    }

    @Test("Records are read one after another, including those committed during a read") func reading() throws {
        let log = CommitLog()
        let reader = Reader()
        #expect(log.subscribe(reader, capturing: .none, includesUncaptured: true))
        try log.commit(.all) {}
        var seen: [String] = []
        log.read(reader) { record in
            seen.append("begins \(record.number)")
            if record.number == 1 {
                _ = try? log.commit(.all) {}
                log.read(reader) { seen.append("inside: \($0.number)") }
            }
            seen.append("ends \(record.number)")
        }
        #expect(seen == ["begins 1", "ends 1", "begins 2", "ends 2"])
    }
}
