import Dispatch

/// A few threads that do work in the order it arrives, each one piece at a time.
///
/// A concurrent queue would share its threads with the whole program: if a few blocks wait there, nobody's work gets
/// done. A serial queue has its own thread while it works. So each piece of work goes to a serial queue that is idle,
/// or waits in line when all of them are busy.
package final class Threads: Sendable {
    private struct State {
        var idle: [DispatchQueue] = []
        var made = 0
        var waiting = RingBuffer<@Sendable () -> Void>()
        /// Whether a thread has been woken and has not taken its first work.
        var isWaking = false
    }

    private let state = Lock(State())
    private let label: String
    private let limit: Int

    /// Makes a group of at most `limit` threads, which are started when needed.
    package init(label: String, limit: Int) {
        self.label = label
        self.limit = max(1, limit)
    }

    /// Does work on a thread that is free, or on the first to become free.
    ///
    /// Waking a thread costs more than a short piece of work. So one is woken at a time: when it takes its first work
    /// and finds more, it wakes the next, before that work can block it.
    package func async(_ work: @escaping @Sendable () -> Void) {
        let woken = state.withLock { state in
            state.waiting.append(work)
            return wake(&state)
        }
        serve(on: woken)
    }

    /// Takes a thread to wake, if it is needed and there is one.
    private func wake(_ state: inout State) -> DispatchQueue? {
        guard !state.isWaking, !state.waiting.isEmpty else { return nil }
        if let queue = state.idle.popLast() {
            state.isWaking = true
            return queue
        }
        guard state.made < limit else { return nil }
        state.made += 1
        state.isWaking = true
        return DispatchQueue(label: label)
    }

    private func serve(on queue: DispatchQueue?) {
        queue?.async { [self] in
            var isFirst = true
            while let (work, woken) = next(queue, isFirst: isFirst) {
                isFirst = false
                serve(on: woken)
                work()
            }
        }
    }

    private func next(_ queue: DispatchQueue?, isFirst: Bool) -> (work: @Sendable () -> Void, woken: DispatchQueue?)? {
        state.withLock { state in
            if isFirst { state.isWaking = false }
            if let work = state.waiting.popFirst() { return (work, wake(&state)) }
            if let queue { state.idle.append(queue) }
            return nil
        }
    }
}
