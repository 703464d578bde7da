import Dispatch

/// Looks for commits of other connections and processes, at an interval, while there is somebody to tell.
final class CommitWatch: @unchecked Sendable {
    private let interval: Duration
    private let queue: DispatchQueue
    /// Safe because `setRunning` is called on the live queue alone.
    private var timer: (any DispatchSourceTimer)?

    /// Makes a watch that looks on `queue`.
    init(every interval: Duration, on queue: DispatchQueue) {
        self.interval = interval
        self.queue = queue
    }

    deinit {
        timer?.cancel()
    }

    /// Starts or stops looking.
    func setRunning(_ isRunning: Bool, look: @escaping @Sendable () -> Void) {
        timer?.cancel()
        timer = nil
        guard isRunning else { return }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        let (seconds, attoseconds) = interval.components
        let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        timer.schedule(
            deadline: .now() + .nanoseconds(nanoseconds), repeating: .nanoseconds(nanoseconds),
            leeway: .nanoseconds(nanoseconds / 10))
        timer.setEventHandler(handler: look)
        timer.resume()
        self.timer = timer
    }
}
