/// Tells an optional type from others where only the type itself is at hand.
protocol OptionalType {
    /// Whether what is wrapped is an optional again.
    static var wrapsOptional: Bool { get }
}

extension Optional: OptionalType {
    static var wrapsOptional: Bool { Wrapped.self is any OptionalType.Type }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
    /// Is the storage class of the wrapped type.
    @inlinable
    public static var storageClass: StorageClass { Wrapped.storageClass }
    /// Is true: NULL is `nil`.
    @inlinable
    public static var isOptional: Bool { true }
    /// Is that of the wrapped type.
    @inlinable
    public static var isScaled: Bool { Wrapped.isScaled }

    /// Reads `nil` for NULL, else the wrapped value.
    @inlinable @inline(__always)
    public static func read(from cell: ColumnCell) throws -> Wrapped? {
        if cell.isNull { return nil }
        return try Wrapped.read(from: cell)
    }

    /// Binds NULL for `nil`, else the wrapped value.
    @inlinable @inline(__always)
    public func write(to slot: ColumnSlot) throws {
        switch self {
        case .none: try slot.bindNull()
        case .some(let value): try value.write(to: slot)
        }
    }

    /// Returns NULL for `nil`, else the wrapped value.
    @inlinable
    public func sqlValue(scale: Int) throws -> SQLValue {
        switch self {
        case .none: .null
        case .some(let value): try value.sqlValue(scale: scale)
        }
    }
}
