import Dispatch
public import Signals
import Synchronization

extension Recorder {
    /// A wait that ends when `isOver` returns true.
    struct Waiter {
        let id: Int
        let isOver: @Sendable (State) -> Bool
        let resume: @Sendable () -> Void
    }

    /// Waits until the recorder has received `count` values or the end, and returns the values.
    ///
    /// The call returns early, with the values so far, if its task is cancelled or when `Patience.seconds` have passed.
    public func values(_ count: Int) async -> [Value] {
        await wait(for: "\(count) values") { $0.delivered >= count }
        return values
    }

    /// Waits for the end and returns it.
    ///
    /// The call returns nil if its task is cancelled or `Patience.seconds` pass before the end arrives.
    public func end() async -> Completion<Failure>? {
        await wait(for: "the end") { _ in false }
        return completion
    }

    /// Blocks the thread until `isEnough` returns true or the end arrives; returns false if `Patience.seconds` pass
    /// first.
    package func waits(for what: String, until isEnough: @escaping @Sendable (State) -> Bool = { _ in false }) -> Bool {
        let semaphore = DispatchSemaphore(value: 0)
        guard let id = begin(isEnough, { semaphore.signal() }) else { return true }
        let seconds = Patience.seconds
        if semaphore.wait(timeout: .now() + .seconds(seconds)) == .success { return true }
        giveUp(id, what, after: seconds)
        return false
    }

    private func wait(for what: String, until isEnough: @escaping @Sendable (State) -> Bool) async {
        let begun = Lock<Int?>(nil)
        let seconds = Patience.seconds
        let bound = DispatchWorkItem { [weak self] in
            if let id = begun.withLock({ $0 }) { self?.giveUp(id, what, after: seconds) }
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard let id = begin(isEnough, { continuation.resume() }) else { return continuation.resume() }
                begun.withLock { $0 = id }
                if Task.isCancelled { abandon(id) }
                DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds), execute: bound)
            }
        } onCancel: {
            if let id = begun.withLock({ $0 }) { abandon(id) }
        }
        bound.cancel()
    }

    /// Registers a waiter and returns its number, or nil if its wait is already over.
    private func begin(
        _ isEnough: @escaping @Sendable (State) -> Bool, _ resume: @escaping @Sendable () -> Void
    ) -> Int? {
        let id = lastWaiter.add(1, ordering: .relaxed).newValue
        let waiter = Waiter(id: id, isOver: { $0.isEnded || isEnough($0) }, resume: resume)
        return state.withLock { state in
            if waiter.isOver(state) { return nil }
            state.waiters.append(waiter)
            return id
        }
    }

    private func giveUp(_ id: Int, _ what: String, after seconds: Int) {
        if abandon(id) { Patience.report(what, "\(history)", seconds: seconds) }
    }

    @discardableResult
    private func abandon(_ id: Int) -> Bool {
        let waiter = state.withLock { state in
            state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
        }
        waiter?.resume()
        return waiter != nil
    }
}

extension Recorder.State {
    /// Removes and returns the waiters whose wait is over.
    mutating func takeWaiters() -> [Recorder.Waiter] {
        guard !waiters.isEmpty else { return [] }
        let over = waiters.filter { $0.isOver(self) }
        let taken = Set(over.map(\.id))
        waiters.removeAll { taken.contains($0.id) }
        return over
    }

    /// Returns whether the last event is a value that satisfies a condition.
    ///
    /// A waiter calls this after each event, so earlier events need no check.
    package func endsWithValue(where isWanted: (Value) -> Bool) -> Bool {
        if case .value(let value) = log.last?.event { isWanted(value) } else { false }
    }
}

/// The number of the newest waiter.
///
/// Each waiter has its own number, by which a wait that times out or is cancelled finds its waiter.
private let lastWaiter = Atomic(0)
