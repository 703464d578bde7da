/// A protocol that only `Optional` conforms to, for code that does not know the type statically.
package protocol OptionalType: SendableMetatype {
    static var wrapsOptional: Bool { get }
    static var wrapped: any Any.Type { get }
    var isNil: Bool { get }
}

extension Optional: OptionalType {
    package static var wrapsOptional: Bool { Wrapped.self is any OptionalType.Type }
    package static var wrapped: any Any.Type { Wrapped.self }
    package var isNil: Bool { self == nil }
}

extension Optional: BindableValue, ColumnValue where Wrapped: ColumnValue {
    /// The type without any optionals around it.
    public typealias Plain = Wrapped.Plain

    /// Stored as the wrapped type.
    @inlinable
    public static var storageClass: StorageClass { Wrapped.storageClass }
    /// Always true; `nil` is stored as NULL.
    @inlinable
    public static var isOptional: Bool { true }
    /// Whether the wrapped type is stored scaled.
    @inlinable
    public static var isScaled: Bool { Wrapped.isScaled }

    /// Reads `nil` for NULL, otherwise the wrapped value.
    @inlinable @inline(__always)
    public static func read(from cell: ColumnCell) throws -> Wrapped? {
        if cell.isNull { return nil }
        return try Wrapped.read(from: cell)
    }

    /// Binds NULL for `nil`, otherwise the wrapped value.
    @inlinable @inline(__always)
    public func write(to slot: ColumnSlot) throws {
        switch self {
        case .none: try slot.bindNull()
        case .some(let value): try value.write(to: slot)
        }
    }
}
