public import Signals

extension Recorder {
    /// A task that waits for a number of values, or for the end.
    struct Waiter {
        let id: Int
        let count: Int
        let continuation: CheckedContinuation<Void, Never>

        func resume() { continuation.resume() }
    }

    /// Waits until there are `count` values, or the end, and returns the values.
    ///
    /// It returns what there is when its task is cancelled.
    public func values(_ count: Int) async -> [Value] {
        await wait(for: count)
        return values
    }

    /// Waits for the end and returns it; nil when its task is cancelled before.
    public func end() async -> Completion<Failure>? {
        await wait(for: .max)
        return completion
    }

    private func wait(for count: Int) async {
        let id = WaiterID.next()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    let isDue = state.isEnded || state.delivered >= count
                    if !isDue { state.waiters.append(Waiter(id: id, count: count, continuation: continuation)) }
                    return isDue
                }
                if isDue { continuation.resume() } else if Task.isCancelled { abandon(id) }
            }
        } onCancel: {
            abandon(id)
        }
    }

    private func abandon(_ id: Int) {
        let waiter = state.withLock { state in
            state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
        }
        waiter?.resume()
    }
}

extension Recorder.State {
    /// Takes out those whose wait is over.
    mutating func takeWaiters() -> [Recorder.Waiter] {
        guard !waiters.isEmpty else { return [] }
        let due = waiters.filter { isEnded || delivered >= $0.count }
        waiters.removeAll { isEnded || delivered >= $0.count }
        return due
    }
}
