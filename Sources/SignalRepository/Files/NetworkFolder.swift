import CSQLite
import Foundation

/// Detects a file on another machine, where neither SQLite's write-ahead log nor its locks are reliable.
///
/// The log's index is shared memory, which two machines cannot share, and locks over a network often do not work.
enum NetworkFolder {
    /// Returns the name of the network protocol; `nil` if the file is local, or the system does not report its
    /// location.
    static func name(of path: String) -> String? {
        #if os(Linux)
            return name(ofType: UInt32(truncatingIfNeeded: csqlite_file_system(path)))
        #else
            var status = statfs()
            guard statfs(path, &status) == 0, status.f_flags & UInt32(MNT_LOCAL) == 0 else { return nil }
            return withUnsafeBytes(of: status.f_fstypename) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        #endif
    }

    /// Returns the name of the network protocol of a Linux file system type; `nil` for every other type.
    ///
    /// A file system that a program serves (FUSE) counts as local, although it may be remote.
    static func name(ofType number: UInt32) -> String? {
        switch number {
        case 0x6969: "NFS"
        case 0x517B, 0xFE53_4D42: "SMB"
        case 0xFF53_4D42: "CIFS"
        case 0x5346_414F, 0x6B41_4653: "AFS"
        case 0x00C3_6400: "Ceph"
        case 0x564C: "NCP"
        case 0x7375_7245: "Coda"
        default: nil
        }
    }
}
