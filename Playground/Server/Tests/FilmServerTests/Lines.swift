import Logging
import Synchronization

/// The lines that loggers have received.
final class Lines: Sendable {
    struct Line: Sendable {
        let level: Logger.Level
        let message: String
        let metadata: [String: String]
    }

    private struct State {
        var lines: [Line] = []
        var awaited: (condition: @Sendable (Line) -> Bool, action: @Sendable () -> Void)?
    }

    private let state = Mutex(State())

    var all: [Line] { state.withLock { $0.lines } }

    func logger() -> Logger {
        var logger = Logger(label: "test") { _ in Handler(lines: self) }
        logger.logLevel = .trace
        return logger
    }

    /// Calls `action` as soon as a line meets a condition.
    func whenNext(_ condition: @escaping @Sendable (Line) -> Bool, _ action: @escaping @Sendable () -> Void) {
        let isThere = state.withLock { state in
            if state.lines.contains(where: condition) { return true }
            state.awaited = (condition, action)
            return false
        }
        if isThere { action() }
    }

    private func add(_ line: Line) {
        let action = state.withLock { state in
            state.lines.append(line)
            guard let awaited = state.awaited, awaited.condition(line) else { return nil as (@Sendable () -> Void)? }
            state.awaited = nil
            return awaited.action
        }
        action?()
    }

    private struct Handler: LogHandler {
        let lines: Lines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let metadata = (event.metadata ?? [:]).mapValues { "\($0)" }
            lines.add(Line(level: event.level, message: "\(event.message)", metadata: metadata))
        }
    }
}
