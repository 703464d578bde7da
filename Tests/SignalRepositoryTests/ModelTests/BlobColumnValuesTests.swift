import Foundation
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Bytes") struct BlobColumnValuesTests {
    @Test("Bytes come back, even zero of them", arguments: [0, 1, 16, 70_000])
    func data(_ count: Int) throws {
        let memory = try Memory(Box<Data>.self)
        let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try memory.insert(Box(id: 1, value: data))
        #expect(try memory.items().map(\.value) == [data])
        #expect(
            try memory.connection.rows("SELECT typeof(value), length(value) FROM Box") == [
                [.text("blob"), .integer(Int64(count))]
            ])
    }

    @Test("A slice stores only its own bytes")
    func slice() throws {
        let memory = try Memory(Box<Data>.self)
        let data = Data([0, 1, 2, 3, 4, 5])[2..<4]
        try memory.insert(Box(id: 1, value: data))
        #expect(try memory.items().map { Array($0.value) } == [[2, 3]])
    }

    @Test("A UUID is sixteen bytes")
    func uuid() throws {
        let memory = try Memory(Box<UUID>.self)
        let uuids = [
            UUID(), UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
            UUID(uuid: (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255)),
        ]
        for (id, uuid) in uuids.enumerated() { try memory.insert(Box(id: id, value: uuid)) }
        #expect(try memory.items().map(\.value) == uuids)
        #expect(try memory.connection.integer("SELECT max(length(value)) FROM Box") == 16)
    }

    @Test("Any other number of bytes is not a UUID", arguments: ["", "00", "000102030405060708090a0b0c0d0e0f10"])
    func wrongLength(_ bytes: String) throws {
        let memory = try Memory(Box<UUID>.self)
        try memory.connection.execute("INSERT INTO Box VALUES (1, x'\(bytes)')")
        let error = try thrown { () throws(RepositoryError) in try memory.items() }
        guard case .decoding("Box", "value", let detail, _) = error else { return #expect(Bool(false), "\(error)") }
        #expect(detail == "a UUID has 16 bytes, found \(bytes.count / 2)")
    }

    @Test("A value above the limit of 64 MiB fails with .tooBig, and is not truncated")
    func tooBig() throws {
        let memory = try Memory(Box<Data>.self)
        let error = try thrown { () throws(RepositoryError) in
            try memory.insert(Box(id: 1, value: Data(count: (64 << 20) + 1)))
        }
        guard case .tooBig = error else { return #expect(Bool(false), "\(error)") }
        #expect(try memory.items().isEmpty)
    }
}
