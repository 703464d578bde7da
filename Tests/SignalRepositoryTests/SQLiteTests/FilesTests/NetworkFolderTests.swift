import Foundation
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Network folders") struct NetworkFolderTests {
    @Test("A local folder is not a network folder, and neither is a path that does not exist")
    func here() throws {
        let folder = try TemporaryFolder()
        for path in [folder.path, "/", "/proc", folder.file("none"), ""] {
            #expect(NetworkFolder.name(of: path) == nil)
        }
    }

    #if os(Linux)
        @Test("Linux's numbers for network file systems are recognized, and the numbers for disks are not")
        func numbers() {
            let networks: [UInt32] = [0x6969, 0x517B, 0xFE53_4D42, 0xFF53_4D42, 0x5346_414F, 0x00C3_6400]
            #expect(networks.map { NetworkFolder.name(ofType: $0) } == ["NFS", "SMB", "SMB", "CIFS", "AFS", "Ceph"])
            // ext4, tmpfs, btrfs, xfs, overlay, FUSE, 9p.
            for number in [0xEF53, 0x0102_1994, 0x9123_683E, 0x5846_5342, 0x794C_7630, 0x6573_5546, 0x0102_1997] {
                #expect(NetworkFolder.name(ofType: UInt32(number)) == nil)
            }
        }
    #endif
}
