import Foundation

// Verification of values that code outside the library encodes and decodes.
extension Column {
    /// Encodes a value and verifies that it can be decoded again; returns `nil` for a computed column.
    ///
    /// For JSON and a custom `ColumnValue` type, the decoded value must have the same encoding as the original.
    /// `encode` and `decode` functions may round, so `decode` only needs to accept each value that `encode` returns.
    @usableFromInline @inline(never)
    func verified(_ value: Codec.Value) throws -> SQLValue? {
        guard computation == nil else { return nil }
        let stored = try codec.sqlValue(value, places)
        do {
            // Safe because the value stays in place while the cell is read.
            let back = try withUnsafePointer(to: stored) { try codec.read(from: ColumnCell($0, scale: scale)) }
            let encoding = opaque?.plainEncoding ?? encoding
            guard try encoding == .free || encoding.isSame(unverified(back), opaque == nil ? stored : unverified(value))
            else {
                throw ColumnFault.value("it is read back as another value")
            }
        } catch {
            throw ColumnFault.value("the value does not round-trip: \(ColumnFault.sentence(error))")
        }
        return stored
    }

    /// Encodes a value without verifying the result, and without encrypting it.
    private func unverified(_ value: Codec.Value) throws -> SQLValue {
        let places = DecimalPlaces(scale)
        return try opaque?.plainValue(value, places) ?? codec.sqlValue(value, places)
    }
}

/// The types that the library itself encodes and decodes.
enum OwnTypes {
    private static let types: Set<ObjectIdentifier> = {
        let types: [any ColumnValue.Type] = [
            Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self, UInt32.self,
            UInt64.self, Bool.self, Double.self, Float.self, Date.self, Decimal.self, String.self, URL.self,
            Data.self, UUID.self, Vector.self,
        ]
        return Set(types.map { ObjectIdentifier($0) })
    }()

    static func lists(_ type: any Any.Type) -> Bool { types.contains(ObjectIdentifier(type)) }

    /// Whether values of a type need no verification by `Column.verified(_:)`.
    ///
    /// Built-in types, composite keys, raw-value types, and optionals of these need no verification. Writing a value of
    /// a raw-value type already checks that its raw value can be converted back.
    static func contain(_ type: any Any.Type) -> Bool {
        if let optional = type as? any OptionalType.Type { return contain(optional.wrapped) }
        return types.contains(ObjectIdentifier(type)) || type is any CompositeID.Type
            || type is any RawRepresentable.Type
    }
}
