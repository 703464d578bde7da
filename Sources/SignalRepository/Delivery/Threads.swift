import Dispatch
import Signals

/// A few threads owned by the repository that do work in the order it arrives, as much at a time as there are threads.
///
/// A concurrent queue would share its threads with the whole program: if a few blocks wait there, nobody's work gets
/// done. A serial queue has its own thread while it works. So each piece of work goes to a serial queue that is idle,
/// or waits in line when all of them are busy.
final class Threads: Sendable {
    private struct State {
        var idle: [DispatchQueue] = []
        var made = 0
        var waiting = RingBuffer<@Sendable () -> Void>()
    }

    private let state = Lock(State())
    private let label: String
    private let limit: Int

    /// Makes a group of at most `limit` threads, which are started when needed.
    init(label: String, limit: Int) {
        self.label = label
        self.limit = max(1, limit)
    }

    /// Does work on a thread that is free, or on the first to become free.
    func async(_ work: @escaping @Sendable () -> Void) {
        let queue = state.withLock { state -> DispatchQueue? in
            if let queue = state.idle.popLast() { return queue }
            guard state.made < limit else {
                state.waiting.append(work)
                return nil
            }
            state.made += 1
            return DispatchQueue(label: label)
        }
        queue?.async { self.serve(work, on: queue) }
    }

    private func serve(_ first: @Sendable () -> Void, on queue: DispatchQueue?) {
        first()
        while let work = next(queue) { work() }
    }

    private func next(_ queue: DispatchQueue?) -> (@Sendable () -> Void)? {
        state.withLock { state in
            if let work = state.waiting.popFirst() { return work }
            if let queue { state.idle.append(queue) }
            return nil
        }
    }
}
