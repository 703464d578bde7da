import Foundation
import Synchronization

/// The events of a host, one per line, with times of the clock that all hosts of a machine share.
///
/// `ack` is a commit of this host, `seen` a commit of another host, `lost` a write that failed after one that did not.
/// `equal` and `differs` say whether the live values equal those of a fresh read, and `ended` that a signal failed.
final class Journal: Sendable {
    private let file: Mutex<FileHandle>

    init(_ path: String) throws {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        file = Mutex(try FileHandle(forWritingTo: URL(fileURLWithPath: path)))
    }

    func note(_ words: String) {
        let line = Data("\(Self.now) \(words)\n".utf8)
        file.withLock { file in
            // If the journal cannot be written, the error cannot be recorded either.
            try? file.write(contentsOf: line)
        }
    }

    /// Nanoseconds since the machine was started.
    static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
