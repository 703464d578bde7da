import Foundation

/// Prepares the three standard streams before any file is opened.
enum StandardStreams {
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        // A closed stream's number would be given to the next file that is opened, and the program would print into it.
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
