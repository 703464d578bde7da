import Foundation
import Synchronization

/// A child process that is read line by line, and killed with every process that it has started.
enum ChildProcess {
    enum Ending: Equatable {
        case exited(Int32)
        case crashed(Int32)
        case timedOut
        /// The caller has read enough.
        case stopped
        case interrupted
    }

    struct Output {
        let ending: Ending
        let text: String

        var status: Int32 {
            if case .exited(let status) = ending { status } else { -1 }
        }
    }

    static func output(_ words: [String], limit: Duration) throws -> Output {
        var text = ""
        let ending = try run(words, limit: limit) { line in
            text += line + "\n"
            return true
        }
        if ending == .interrupted { throw Interrupt() }
        return Output(ending: ending, text: text)
    }

    /// Runs a program until it ends, `onLine` returns false, the time is over, or Ctrl-C is pressed.
    ///
    /// It has its own process group, so that no process that it has started outlives it.
    static func run(
        _ words: [String], environment: [String: String] = [:], limit: Duration, onLine: (String) -> Bool
    ) throws -> Ending {
        if Interrupt.isRequested { return .interrupted }
        let (child, output) = try spawn(words, environment)
        defer { close(output) }
        let ending = follow(output, until: .now + limit, onLine)
        if ending != nil { kill(-child, SIGKILL) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) == -1, errno == EINTR {}
        kill(-child, SIGKILL)
        if let ending { return ending }
        return status & 0x7f == 0 ? .exited((status >> 8) & 0xff) : .crashed(status & 0x7f)
    }

    /// Reads to the end and returns nil, or returns the reason why it stopped earlier.
    private static func follow(
        _ output: Int32, until deadline: ContinuousClock.Instant, _ onLine: (String) -> Bool
    ) -> Ending? {
        var rest: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            if Interrupt.isRequested { return .interrupted }
            if ContinuousClock.now >= deadline { return .timedOut }
            var request = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            guard poll(&request, 1, 100) > 0 else { continue }
            let count = read(output, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return nil }
            rest += buffer[..<count]
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: rest[..<end], as: UTF8.self)
                rest.removeSubrange(...end)
                if !onLine(line) { return .stopped }
            }
        }
    }

    private static func spawn(
        _ words: [String], _ environment: [String: String]
    ) throws -> (child: pid_t, output: Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw MutantsError("pipe failed: \(String(cString: strerror(errno)))") }
        defer { close(ends[1]) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        #if canImport(Darwin)
            var (attributes, actions): (posix_spawnattr_t?, posix_spawn_file_actions_t?) = (nil, nil)
        #else
            var (attributes, actions) = (posix_spawnattr_t(), posix_spawn_file_actions_t())
        #endif
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
        var settings = ProcessInfo.processInfo.environment
        settings.merge(environment) { $1 }
        var child: pid_t = 0
        let arguments = words.map { strdup($0) } + [nil]
        let variables = settings.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        let fault = posix_spawnp(&child, words[0], &actions, &attributes, arguments, variables)
        guard fault == 0 else {
            close(ends[0])
            throw MutantsError("\(words[0]) cannot be started: \(String(cString: strerror(fault)))")
        }
        return (child, ends[0])
    }
}

/// Ctrl-C, after which the children are killed and the results so far are kept.
struct Interrupt: Error {
    private static let requested = Atomic<Bool>(false)

    static var isRequested: Bool { requested.load(ordering: .relaxed) }

    /// Handles Ctrl-C and SIGTERM: the first one is noted, the second ends the program at once.
    static func watch() {
        for number in [SIGINT, SIGTERM] {
            signal(number) { number in
                if Interrupt.requested.exchange(true, ordering: .relaxed) { _exit(128 + number) }
            }
        }
    }
}
