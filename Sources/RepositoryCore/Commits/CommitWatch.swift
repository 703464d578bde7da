import Dispatch
import Signals

/// A timer that polls for commits by other connections and processes, at an interval, between `start()` and `stop()`.
final class CommitWatch: Sendable {
    private struct State {
        var poll: @Sendable () -> Void = {}
        var timer: (any DispatchSourceTimer)?
    }

    private let nanoseconds: Int
    private let queue = DispatchQueue(label: "SignalRepository.watch")
    private let state = Lock(State())

    init(every interval: Duration) {
        // An interval of zero would keep a processor busy.
        nanoseconds = max(1, interval.milliseconds) * 1_000_000
    }

    deinit { stop() }

    /// Sets the action that polls; the watch calls it on its own queue.
    func poll(by poll: @escaping @Sendable () -> Void) {
        state.withLock { $0.poll = poll }
    }

    /// Starts to poll: at once, and then at the interval.
    func start() {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        let (poll, old) = state.withLock { state in
            defer { state.timer = timer }
            return (state.poll, state.timer)
        }
        timer.schedule(
            deadline: .now(), repeating: .nanoseconds(nanoseconds), leeway: .nanoseconds(nanoseconds / 10))
        timer.setEventHandler(handler: poll)
        timer.resume()
        old?.cancel()
    }

    func stop() {
        let timer = state.withLock { $0.timer.take() }
        timer?.cancel()
    }
}
