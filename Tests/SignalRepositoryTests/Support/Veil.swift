import Synchronization

@testable import RepositoryCore
@testable import SignalRepository

/// A codec that stores a value differently each time, as encryption does, without encrypting it.
struct Veil<Base: ColumnCodec>: OpaqueCodec {
    let base: Base
    let boundName: String

    var storageClass: StorageClass { .blob }
    var isOptional: Bool { base.isOptional }
    var isScaled: Bool { base.isScaled }

    func read(from cell: ColumnCell) throws -> Base.Value {
        if cell.isNull { return try base.read(from: cell) }
        let bytes = try cell.withBytes { Array($0.dropFirst(8)) }
        guard let stored = SQLValue(encodedText: String(decoding: bytes, as: UTF8.self)[...]) else {
            throw ColumnFault.value("it is not what was stored")
        }
        return try base.value(of: stored, scale: cell.scale)
    }

    func write(_ value: Base.Value, to slot: ColumnSlot) throws {
        guard let text = try base.stored(value, for: slot).encodedText else { return try slot.bindNull() }
        let number = Veils.count.wrappingAdd(1, ordering: .relaxed).newValue
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } + Array(text.utf8)
        try bytes.withUnsafeBytes { try slot.bind(bytes: $0) }
    }
}

/// The number of values that have been stored.
enum Veils {
    static let count = Atomic<UInt64>(0)
}

extension Column where Root: Entity {
    init<Value: ColumnValue>(
        _ name: String, veiled path: KeyPath<Root, Value> & Sendable, as bound: String? = nil,
        _ options: ColumnOption<Value>...
    ) where Codec == Veil<DirectCodec<Value>> {
        let codec = Veil(base: DirectCodec<Value>(), boundName: bound ?? "\(Root.entityName).\(name)")
        self.init(name: name, path: path, codec: codec, options: options)
    }

    init<Value: Codable & Sendable>(
        _ name: String, veiledJSON path: KeyPath<Root, Value> & Sendable
    ) where Codec == Veil<JSONCodec<Value>> {
        self.init(
            name: name, path: path, codec: Veil(base: JSONCodec(), boundName: "\(Root.entityName).\(name)"),
            options: [])
    }
}
