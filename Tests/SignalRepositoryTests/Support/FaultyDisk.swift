import CFaultyDisk
import CSQLite
import Testing

/// A test's own folder, on a disk that fails on demand.
///
/// Safe because the disk guards itself with a lock, and this object has no other mutable state.
final class FaultyDisk: @unchecked Sendable {
    /// The calls that can fail.
    struct Calls: OptionSet {
        let rawValue: UInt32

        static let read = Calls(rawValue: UInt32(FAULTY_READ))
        static let write = Calls(rawValue: UInt32(FAULTY_WRITE))
        static let truncate = Calls(rawValue: UInt32(FAULTY_TRUNCATE))
        static let sync = Calls(rawValue: UInt32(FAULTY_SYNC))
        static let delete = Calls(rawValue: UInt32(FAULTY_DELETE))
        static let lock = Calls(rawValue: UInt32(FAULTY_LOCK))
        static let sharedMemoryLock = Calls(rawValue: UInt32(FAULTY_SHARED_MEMORY_LOCK))
        /// Everything that changes what is on the disk.
        static let changes: Calls = [.write, .truncate, .sync, .delete]
    }

    let folder: TemporaryFolder
    private let disk: OpaquePointer
    private let failure = Gate()

    init() throws {
        folder = try TemporaryFolder()
        disk = try #require(faulty_disk_make(folder.path))
        // Safe because the disk, which keeps the pointer, is freed with this object.
        faulty_disk_on_failure(
            disk,
            { context in
                guard let context else { return }
                Unmanaged<Gate>.fromOpaque(context).takeUnretainedValue().open()
            }, Unmanaged.passUnretained(failure).toOpaque())
    }

    deinit {
        faulty_disk_free(disk)
    }

    var file: String { folder.file() }

    /// Makes `count` calls fail, starting with the `first` one from now on.
    func fail(
        _ calls: Calls, on suffix: String = "", first: Int = 1, count: Int = 1, code: Int32, isTorn: Bool = false
    ) {
        faulty_disk_arm(disk, Int32(calls.rawValue), suffix, first, count, code, isTorn ? 1 : 0)
    }

    /// Counts calls, all of which succeed.
    func count(_ calls: Calls) {
        faulty_disk_arm(disk, Int32(calls.rawValue), "", 1, 0, SQLITE_OK, 0)
    }

    func recover() {
        faulty_disk_disarm(disk)
    }

    /// The number of calls of the named kinds.
    var calls: Int { faulty_disk_calls(disk) }

    /// The number of these calls that failed.
    var failures: Int { faulty_disk_failures(disk) }

    /// Waits until that many calls have failed.
    func failures(_ count: Int) async {
        for _ in 0..<count { await failure.opened() }
    }
}
