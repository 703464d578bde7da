extension ColumnValue {
    /// Returns the value as it is stored, which is right for a type whose values can all be stored.
    public func storedBound(scale: Int) throws -> StoredBound { .exact(try sqlValue(scale: scale)) }
}

extension ColumnValue where Self: FixedWidthInteger & Sendable {
    /// Returns the integer, or a position beyond all integers that can be stored.
    public func storedBound(scale: Int) -> StoredBound {
        if let value = Int64(exactly: self) { return .exact(.integer(value)) }
        return self > 0 ? .between(below: .integer(.max), above: nil) : .between(below: nil, above: .integer(.min))
    }
}

extension ColumnValue where Self: RawRepresentable, RawValue: ColumnValue {
    /// Returns the bound of the raw value.
    public func storedBound(scale: Int) throws -> StoredBound { try rawValue.storedBound(scale: scale) }
}

extension Optional where Wrapped: ColumnValue {
    /// Returns NULL for `nil`, otherwise the bound of the wrapped value.
    public func storedBound(scale: Int) throws -> StoredBound {
        try map { try $0.storedBound(scale: scale) } ?? .exact(.null)
    }
}

extension ColumnCodec {
    /// Returns the value as it is stored, which is right for a codec that can store every value.
    public func storedBound(_ value: Value, scale: Int) throws -> StoredBound {
        .exact(try sqlValue(value, DecimalPlaces(scale)))
    }
}
