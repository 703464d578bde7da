import Dispatch

/// A group of threads that run work in order of arrival, each one piece at a time.
///
/// A concurrent queue would share its threads with the whole program: a few blocks that wait could stop all work. A
/// serial queue has its own thread while it works. So each piece of work goes to an idle serial queue, or waits if all
/// of them are busy.
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

    /// Creates a group of at most `limit` threads, which are started when needed.
    package init(label: String, limit: Int) {
        self.label = label
        self.limit = max(1, limit)
    }

    /// Runs work on an idle thread, or on the first to become idle.
    ///
    /// Waking a thread costs more than a short piece of work, so threads are woken one at a time. A thread that takes
    /// its first work and finds more wakes the next thread, before that work can block it.
    package func async(_ work: @escaping @Sendable () -> Void) {
        let woken = state.withLock { state in
            state.waiting.append(work)
            return wake(&state)
        }
        serve(on: woken)
    }

    /// Returns an idle or new thread to wake, if one is needed and the limit allows it.
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
