/// A value as a server sends it: bytes in network order, valid while the row is current.
@usableFromInline
package struct WireValue {
    @usableFromInline
    package enum Kind: UInt8, Sendable {
        case null
        /// An integer of two, four or eight bytes, or a Boolean of one.
        case integer
        /// A floating-point number of four or eight bytes.
        case real
        case text
        case blob
    }

    @usableFromInline package let start: UnsafePointer<UInt8>?
    @usableFromInline package let count: Int32
    @usableFromInline package let kind: Kind

    @inlinable @inline(__always)
    package init(_ kind: Kind, _ start: UnsafePointer<UInt8>?, count: Int32) {
        (self.kind, self.start, self.count) = (kind, start, count)
    }

    @inlinable package static var null: WireValue { WireValue(.null, nil, count: 0) }

    package var storageClass: StorageClass {
        switch kind {
        case .null: .null
        case .integer: .integer
        case .real: .real
        case .text: .text
        case .blob: .blob
        }
    }

    @inlinable package var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: Int(count)) }

    /// The integer; `nil` if the value is something else.
    package var integer: Int64? {
        guard kind == .integer else { return nil }
        let raw = UnsafeRawBufferPointer(bytes)
        return switch count {
        case 8: Int64(bigEndian: raw.loadUnaligned(as: Int64.self))
        case 4: Int64(Int32(bigEndian: raw.loadUnaligned(as: Int32.self)))
        case 2: Int64(Int16(bigEndian: raw.loadUnaligned(as: Int16.self)))
        case 1: Int64(raw[0])
        default: nil
        }
    }

    /// The floating-point number; `nil` if the value is something else.
    @inlinable package var real: Double? {
        guard kind == .real else { return nil }
        let raw = UnsafeRawBufferPointer(bytes)
        return switch count {
        case 8: Double(bitPattern: UInt64(bigEndian: raw.loadUnaligned(as: UInt64.self)))
        case 4: Double(Float(bitPattern: UInt32(bigEndian: raw.loadUnaligned(as: UInt32.self))))
        default: nil
        }
    }
}

/// The address of contiguous values outside SQLite: `SQLValue`s, or `WireValue`s from a server.
///
/// A cell stores one address for either type. All values are aligned, so the lowest bit of an address can state the
/// type.
@usableFromInline
package struct MemoryAddress {
    private let address: UnsafeRawPointer

    package init(_ values: UnsafePointer<SQLValue>) { address = UnsafeRawPointer(values) }

    package init(_ values: UnsafePointer<WireValue>) { address = UnsafeRawPointer(values) + 1 }

    private init(_ address: UnsafeRawPointer) { self.address = address }

    /// Returns the address of the value `count` values later.
    @usableFromInline @inline(never)
    package func advanced(by count: Int) -> MemoryAddress {
        let stride = isWire ? MemoryLayout<WireValue>.stride : MemoryLayout<SQLValue>.stride
        return MemoryAddress(address + count * stride)
    }

    private var isWire: Bool { UInt(bitPattern: address) & 1 != 0 }

    /// The server's value; `nil` if the address points to an `SQLValue`.
    package var wire: WireValue? {
        // Safe because only the initializers make addresses, and the lowest bit states the type that each initializer
        // takes.
        isWire ? (address - 1).assumingMemoryBound(to: WireValue.self).pointee : nil
    }

    package var value: SQLValue {
        // Safe because this property is read only if `wire` is `nil`, so the address points to an `SQLValue`.
        address.assumingMemoryBound(to: SQLValue.self).pointee
    }
}
