import Synchronization
import Testing

@testable import RepositoryCore
@testable import SignalRepository

/// A log with a reader of all its commits, which can block the thread that records one.
struct ReceivedLog {
    let log = CommitLog()
    let reader = Reader()

    final class Reader: LogReader {
        let (woken, goesOn) = (Gate(), Gate())
        private let isHolding = Atomic(false)

        /// Blocks the recording thread until `goesOn` is opened.
        func hold(_ isHolding: Bool) { self.isHolding.store(isHolding, ordering: .releasing) }

        func wake() {
            let mustWait = isHolding.load(ordering: .acquiring)
            woken.open()
            if mustWait { goesOn.wait() }
        }

        func logClosed() {}
    }

    init() { subscribe() }

    func subscribe() { #expect(log.subscribe(reader, capturing: .none, includesUncaptured: true)) }

    /// The tables of the commits that were recorded since the last call.
    func take() -> [DirtyTables] { log.take(reader, capturing: .none).records.map(\.tables) }

    /// The same, after waiting until there are some.
    func next() async -> [DirtyTables] {
        var tables: [DirtyTables] = []
        // An earlier call may already have taken the commit of this wake.
        for _ in 0..<10 where tables.isEmpty {
            await reader.woken.opened()
            tables = take()
        }
        return tables
    }
}
