extension ColumnValue where Self: RawRepresentable, RawValue: ColumnValue {
    /// Stored as the raw value.
    @inlinable
    public static var storageClass: StorageClass { RawValue.storageClass }
    /// Whether the raw value is optional.
    @inlinable
    public static var isOptional: Bool { RawValue.isOptional }
    /// Whether the raw value is stored scaled.
    @inlinable
    public static var isScaled: Bool { RawValue.isScaled }

    /// Reads the raw value, or throws if the type has no value for it.
    @inlinable @inline(__always)
    public static func read(from cell: ColumnCell) throws -> Self {
        let raw = try RawValue.read(from: cell)
        guard let value = Self(rawValue: raw) else {
            throw ColumnFault.noCase(raw, Self.self)
        }
        return value
    }

    /// Binds the raw value, or throws if the type has no value for it, because it could not be read back.
    @inlinable @inline(__always)
    public func write(to slot: ColumnSlot) throws {
        try checkedRawValue.write(to: slot)
    }

    @inlinable @inline(__always)
    var checkedRawValue: RawValue {
        get throws {
            let raw = rawValue
            guard Self(rawValue: raw) != nil else { throw ColumnFault.noCase(raw, Self.self) }
            return raw
        }
    }
}
