import Signals

/// Whether a repository is open, and how much of its work is still to be done.
final class Lifecycle: Sendable {
    private struct State {
        var work = 0
        var isClosing = false
        var isClosed = false
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Lock(State())

    /// Whether work is still admitted.
    var isOpen: Bool { state.withLock { !$0.isClosing } }

    /// Admits a piece of work; false when the repository is closing or closed.
    func enter() -> Bool {
        state.withLock { state in
            if !state.isClosing { state.work += 1 }
            return !state.isClosing
        }
    }

    /// Notes that a piece of work is done; true when it was the last one before closing.
    func leave() -> Bool {
        state.withLock { state in
            state.work -= 1
            return state.isClosing && state.work == 0
        }
    }

    /// Admits no more work; true when the caller must tear everything down now, because no work is left.
    func close() -> Bool {
        state.withLock { state in
            guard !state.isClosing else { return false }
            state.isClosing = true
            return state.work == 0
        }
    }

    /// Calls `action` once everything is closed, immediately if it already is.
    func whenClosed(_ action: @escaping @Sendable () -> Void) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.waiting.append(action) }
            return state.isClosed
        }
        if isClosed { action() }
    }

    /// Notes that everything is closed.
    func closed() {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for action in waiting { action() }
    }
}
