import Dispatch
import Signals

/// Looks for commits by other connections and processes, at an interval, while somebody follows commits.
final class CommitWatch: Sendable {
    private struct State {
        var look: @Sendable () -> Void = {}
        var timer: (any DispatchSourceTimer)?
    }

    private let nanoseconds: Int
    private let queue: DispatchQueue
    private let state = Lock(State())

    /// Makes a watch that looks on `queue`.
    init(every interval: Duration, on queue: DispatchQueue) {
        nanoseconds = interval.milliseconds * 1_000_000
        self.queue = queue
    }

    deinit { stop() }

    /// Sets how to look.
    func look(by look: @escaping @Sendable () -> Void) {
        state.withLock { $0.look = look }
    }

    /// Starts looking: at once, and then at the interval.
    func start() {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        let (look, old) = state.withLock { state in
            defer { state.timer = timer }
            return (state.look, state.timer)
        }
        timer.schedule(
            deadline: .now(), repeating: .nanoseconds(nanoseconds), leeway: .nanoseconds(nanoseconds / 10))
        timer.setEventHandler(handler: look)
        timer.resume()
        old?.cancel()
    }

    /// Stops looking.
    func stop() {
        let timer = state.withLock { $0.timer.take() }
        timer?.cancel()
    }
}
