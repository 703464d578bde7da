/// A value as a server has sent it: bytes in network order, which stay in place while the row is current.
@usableFromInline
package struct WireValue {
    @usableFromInline
    package enum Kind: UInt8, Sendable {
        case null
        /// A whole number of two, four or eight bytes, or a truth value of one.
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

    /// The whole number; `nil` when something else was sent.
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

    /// The floating-point number; `nil` when something else was sent.
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

/// The address of values outside SQLite, one after another: values of ours, or those that a server has sent.
///
/// A cell has room for one address. Both kinds of values are aligned, so that the last bit of theirs is free to tell
/// them apart.
@usableFromInline
package struct MemoryAddress {
    private let address: UnsafeRawPointer

    package init(_ values: UnsafePointer<SQLValue>) { address = UnsafeRawPointer(values) }

    package init(_ values: UnsafePointer<WireValue>) { address = UnsafeRawPointer(values) + 1 }

    private init(_ address: UnsafeRawPointer) { self.address = address }

    /// The address of a value some values later.
    @usableFromInline @inline(never)
    package func advanced(by count: Int) -> MemoryAddress {
        let stride = isWire ? MemoryLayout<WireValue>.stride : MemoryLayout<SQLValue>.stride
        return MemoryAddress(address + count * stride)
    }

    private var isWire: Bool { UInt(bitPattern: address) & 1 != 0 }

    /// The value that a server has sent; `nil` for one of ours.
    package var wire: WireValue? {
        // Safe because the initializers alone make addresses, each of values of its type.
        isWire ? (address - 1).assumingMemoryBound(to: WireValue.self).pointee : nil
    }

    package var value: SQLValue {
        // Safe as above: it is asked for where there is none that a server has sent.
        address.assumingMemoryBound(to: SQLValue.self).pointee
    }
}
