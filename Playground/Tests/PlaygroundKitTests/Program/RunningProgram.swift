import Foundation

/// A program whose output is read while it runs.
final class RunningProgram {
    let lines: AsyncStream<String>
    private let process: Int32
    private let statuses: AsyncStream<Int32>

    /// Starts a program; `interruptAtOnce` interrupts it as soon as it has printed a line.
    ///
    /// The thread that reads interrupts it, because a task may wait for other tests until the program has ended.
    init(_ command: ShellCommand, interruptAtOnce: Bool = false) throws {
        let (lines, lineContinuation) = AsyncStream.makeStream(of: String.self)
        let (statuses, statusContinuation) = AsyncStream.makeStream(of: Int32.self)
        (self.lines, self.statuses) = (lines, statuses)
        // Safe because the thread below is the only one that uses it from there on.
        nonisolated(unsafe) let pipe = try command.start()
        let number = Self.line(of: pipe).flatMap { Int32($0) } ?? 0
        process = number
        // Not a thread of the system's queue: other tests may block those until the program has ended.
        Thread.detachNewThread {
            var isUninterrupted = interruptAtOnce
            while let line = Self.line(of: pipe) {
                if isUninterrupted { Self.interrupt(number) }
                isUninterrupted = false
                lineContinuation.yield(line)
            }
            lineContinuation.finish()
            statusContinuation.yield(ShellCommand.meaning(of: pclose(pipe)))
            statusContinuation.finish()
        }
    }

    private static func line(of pipe: UnsafeMutablePointer<FILE>) -> String? {
        var start: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(start) }
        let count = getline(&start, &capacity, pipe)
        guard count > 0, let start else { return nil }
        return String(cString: start).trimmingCharacters(in: .newlines)
    }

    func interrupt() { Self.interrupt(process) }

    private static func interrupt(_ process: Int32) {
        if process > 0 { kill(process, SIGINT) }
    }

    func status() async -> Int32 {
        for await status in statuses { return status }
        return -1
    }
}
