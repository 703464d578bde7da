import Signals

/// The state of a repository (open, suspended or closed), and the number of its pieces of work in progress.
final class Lifecycle: Sendable {
    enum Admission {
        case admitted, suspended, closed
    }

    private struct State {
        var work = 0
        var isSuspended = false
        var wasSuspended = false
        var postponed: [@Sendable () -> Void] = []
        var whenIdle: (@Sendable () -> Void)?
        var isClosing = false
        var isClosed = false
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Lock(State())

    var isOpen: Bool { state.withLock { !$0.isClosing } }

    /// Admits a piece of work, which must call `leave()` when it is done.
    func enter() -> Admission {
        state.withLock { state in
            if state.isClosing { return .closed }
            if state.isSuspended { return .suspended }
            state.work += 1
            return .admitted
        }
    }

    /// Notes that a piece of work is done; returns `true` if the repository is closing and this was the last piece.
    func leave() -> Bool {
        let (isLast, whenIdle) = state.withLock { state in
            state.work -= 1
            return (state.isClosing && state.work == 0, state.work == 0 ? state.whenIdle.take() : nil)
        }
        whenIdle?()
        return isLast
    }

    /// Admits no more work; returns `true` if no work is in progress, so that the caller must close everything now.
    ///
    /// Postponed work is started, and then finds that the repository is closed.
    func close() -> Bool {
        let (isIdle, postponed) = state.withLock { state in
            guard !state.isClosing else { return (false, [@Sendable () -> Void]()) }
            state.isClosing = true
            defer { state.postponed = [] }
            return (state.work == 0, state.postponed)
        }
        for start in postponed { start() }
        return isIdle
    }

    /// Calls `action` once everything is closed, or immediately if everything already is.
    func whenClosed(_ action: @escaping @Sendable () -> Void) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.waiting.append(action) }
            return state.isClosed
        }
        if isClosed { action() }
    }

    func closed() {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for action in waiting { action() }
    }
}

// Suspending.
extension Lifecycle {
    var isSuspended: Bool { state.withLock { $0.isSuspended && !$0.isClosing } }

    /// Whether the repository was ever suspended.
    ///
    /// If so, a suspension may be in progress, which closing must not interrupt.
    var wasSuspended: Bool { state.withLock { $0.wasSuspended } }

    /// Admits no work until `resume()`; returns `false` if already suspended, and throws if closed.
    func suspend() throws(RepositoryError) -> Bool {
        try state.withLock { state throws(RepositoryError) in
            if state.isClosing { throw .closed }
            defer { (state.isSuspended, state.wasSuspended) = (true, true) }
            return !state.isSuspended
        }
    }

    func whenIdle(_ action: @escaping @Sendable () -> Void) {
        let isIdle = state.withLock { state in
            if state.work > 0 { state.whenIdle = action }
            return state.work == 0
        }
        if isIdle { action() }
    }

    /// Postpones work until `resume()`; returns `false` if the caller must start the work now.
    func postpone(_ start: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            guard state.isSuspended, !state.isClosing else { return false }
            state.postponed.append(start)
            return true
        }
    }

    /// Admits work again, and starts the postponed work in the order in which it was postponed.
    func resume() {
        let postponed = state.withLock { state in
            state.isSuspended = false
            defer { state.postponed = [] }
            return state.postponed
        }
        for start in postponed { start() }
    }
}
