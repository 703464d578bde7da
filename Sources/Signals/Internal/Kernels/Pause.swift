/// The only timer of a run.
///
/// If a wait begins after the run was cancelled, the wait is cancelled at once.
final class Pause: Sendable {
    private let state = Lock<(timer: SignalToken?, isCancelled: Bool)>((nil, false))

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Begins a wait; the previous wait must be over.
    func begin(_ schedule: () -> SignalToken) {
        let timer = schedule()
        let (isCancelled, old) = state.withLock { state in
            defer { if !state.isCancelled { state.timer = timer } }
            return (state.isCancelled, state.timer.take())
        }
        // This call may be the work of the previous timer. The token of that timer is detached, so that releasing the
        // token does not cancel that timer.
        old?.detach()
        if isCancelled { timer.cancel() }
    }

    func cancel() {
        let timer = state.withLock { state in
            state.isCancelled = true
            return state.timer.take()
        }
        timer?.cancel()
    }
}
