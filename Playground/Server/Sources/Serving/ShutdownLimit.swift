import Dispatch
import ServiceLifecycle

/// Detects a shutdown that takes too long, even if no task makes progress any more.
final class ShutdownLimit: Service {
    private let limit: Duration
    private let overtime: @Sendable () -> Void
    private let queue = DispatchQueue(label: "shutdown")

    init(_ limit: Duration, overtime: @escaping @Sendable () -> Void) {
        (self.limit, self.overtime) = (limit, overtime)
    }

    func run() async throws {
        try await gracefulShutdown()
        let (seconds, attoseconds) = limit.components
        let limit = Double(seconds) + Double(attoseconds) / 1e18
        // The group releases its services once all of them have ended.
        queue.asyncAfter(deadline: .now() + limit) { [weak self] in self?.overtime() }
    }
}
