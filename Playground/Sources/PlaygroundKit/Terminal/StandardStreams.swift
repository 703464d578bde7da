import Foundation

/// Prepares the three standard streams before any file is opened.
enum StandardStreams {
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        // The next opened file would get the descriptor of a closed stream, and the program would print into the file.
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            _ = open("/dev/null", O_RDWR)
        }
    }

    /// Writes one line to standard error.
    static func complain(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }

    /// Ends the program at once.
    static func leave(_ status: Int32) -> Never {
        exit(status)
    }
}
