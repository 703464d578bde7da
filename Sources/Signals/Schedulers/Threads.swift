import Dispatch

/// A group of threads that take work in order of arrival; each thread runs one piece of work at a time.
///
/// A concurrent queue shares its threads with the whole program, so a few blocking pieces of work could stop everything
/// else. A serial queue has its own thread while it works. So each piece of work goes to an idle serial queue, or waits
/// if all queues are busy.
package final class Threads: Sendable {
    private struct State {
        var idle: [DispatchQueue] = []
        var made = 0
        var waiting = RingBuffer<@Sendable () -> Void>()
        /// Whether a thread was woken but has not taken its first piece of work yet.
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

    /// Runs work on an idle thread, or on the first thread that becomes idle.
    ///
    /// Waking a thread costs more than a short piece of work, so the group wakes one thread at a time. A thread that
    /// takes a piece of work while others are waiting wakes the next thread. It does so before it runs its own piece,
    /// which may block.
    package func async(_ work: @escaping @Sendable () -> Void) {
        let woken = state.withLock { state in
            state.waiting.append(work)
            return wake(&state)
        }
        serve(on: woken)
    }

    /// Returns an idle or new thread to wake, or nil if none is needed or the limit is reached.
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
