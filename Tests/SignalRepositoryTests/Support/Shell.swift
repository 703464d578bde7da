import Foundation

/// A shell that runs beside the tests, and ends when the tests' end of a socket is closed.
///
/// The system closes that end when the test process ends, in whatever way. Foundation's `Process` is unsuitable: it
/// watches its child with a thread and a run loop that still run while the program exits.
final class Shell: Sendable {
    /// The tests' end of the socket, whose other end the shell reads and writes.
    let socket: Int32

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    init(_ script: String) throws {
        let (socket, other) = try Self.sockets()
        self.socket = socket
        defer { close(other) }
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, other, 3)
        // The shell must not inherit other descriptors of the tests. A server that waits for its client to leave, for
        // example, would never see the client's descriptor closed.
        #if canImport(Darwin)
            var attributes: posix_spawnattr_t?
            posix_spawnattr_init(&attributes)
            defer { posix_spawnattr_destroy(&attributes) }
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_CLOEXEC_DEFAULT))
            for output in [STDOUT_FILENO, STDERR_FILENO] { posix_spawn_file_actions_addinherit_np(&actions, output) }
        #else
            for file in 4..<min(Int32(clamping: sysconf(Int32(_SC_OPEN_MAX))), 4_096) {
                posix_spawn_file_actions_addclose(&actions, file)
            }
        #endif
        // The script runs in a second shell, which is no longer a child of the tests once the first one has ended. The
        // testing library waits for any child that ends, and would find this one again and again.
        let words: [String] = ["sh", "-c", "(\n\(script)\n) <&3 >&3 3>&- &"]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var process = pid_t()
        #if canImport(Darwin)
            let code = posix_spawn(&process, "/bin/sh", &actions, &attributes, &arguments, environ)
        #else
            let code = posix_spawn(&process, "/bin/sh", &actions, nil, &arguments, environ)
        #endif
        guard code == 0 else { throw Failure(description: "a shell could not be started: error \(code)") }
        while waitpid(process, nil, 0) < 0, errno == EINTR {}
    }

    deinit { close(socket) }

    /// Sends a line to the shell.
    func send(_ line: String) throws {
        let bytes = Array((line + "\n").utf8)
        guard write(socket, bytes, bytes.count) == bytes.count else {
            throw Failure(description: "the shell does not read any more: error \(errno)")
        }
    }

    /// Receives this many bytes of the shell's output, or fewer if the shell has ended.
    func receive(_ count: Int) -> String {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var part = [UInt8](repeating: 0, count: count - bytes.count)
            let length = read(socket, &part, part.count)
            if length < 0 && errno == EINTR { continue }
            if length <= 0 { break }
            bytes += part[..<length]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Makes a pair of sockets that no other child inherits, because it would keep them open.
    private static func sockets() throws -> (Int32, Int32) {
        var ends: [Int32] = [0, 0]
        #if canImport(Darwin)
            let code = socketpair(AF_UNIX, SOCK_STREAM, 0, &ends)
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        #else
            let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
            let code = socketpair(AF_UNIX, kind, 0, &ends)
        #endif
        guard code == 0 else { throw Failure(description: "no socket: error \(errno)") }
        return (ends[0], ends[1])
    }
}
