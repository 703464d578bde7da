import Foundation
import Synchronization

/// What a host has done and seen, a line each, with times of the clock that all hosts of one machine share.
///
/// `ack` is a commit of its own, `seen` one of another host's, `lost` a write that failed after one that did not;
/// `equal` and `differs` say whether the live values were those of a fresh read, `ended` that a signal failed.
final class Journal: Sendable {
    private let file: Mutex<FileHandle>

    init(_ path: String) throws {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        file = Mutex(try FileHandle(forWritingTo: URL(fileURLWithPath: path)))
    }

    func note(_ words: String) {
        let line = Data("\(Self.now) \(words)\n".utf8)
        file.withLock { file in
            // Nobody would read a journal that the disk refuses.
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
