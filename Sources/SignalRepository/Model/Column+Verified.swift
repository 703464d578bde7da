import Foundation

// What is verified of the values that functions of the program's own write.
extension Column {
    /// The value as it would be stored, which was read again; `nil` where the store computes it.
    ///
    /// JSON and a type with functions of its own have to come back as they were written; two functions of a column may
    /// round, so that it is enough that they read what they write.
    @usableFromInline @inline(never)
    func verified(_ value: Codec.Value) throws -> SQLValue? {
        guard computation == nil else { return nil }
        let stored = try codec.sqlValue(value, places)
        do {
            // Safe because the value stays in place while the cell is read.
            let back = try withUnsafePointer(to: stored) { try codec.read(from: ColumnCell($0, scale: scale)) }
            let form = opaque?.plainForm ?? form
            guard try form == .free || form.isSame(unverified(back), opaque == nil ? stored : unverified(value)) else {
                throw ColumnFault.value("it comes back as another value")
            }
        } catch {
            throw ColumnFault.value("the value is not read as it is written: \(ColumnFault.sentence(error))")
        }
        return stored
    }

    /// The value as it would be stored, or as it would be without encryption.
    private func unverified(_ value: Codec.Value) throws -> SQLValue {
        let places = DecimalPlaces(scale)
        return try opaque?.plainValue(value, places) ?? codec.sqlValue(value, places)
    }
}

/// The types of which the library itself writes and reads the values.
enum OwnTypes {
    private static let types: Set<ObjectIdentifier> = {
        let types: [any ColumnValue.Type] = [
            Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self, UInt32.self,
            UInt64.self, Bool.self, Double.self, Float.self, Date.self, Decimal.self, String.self, URL.self,
            Data.self, UUID.self,
        ]
        return Set(types.map { ObjectIdentifier($0) })
    }()

    static func lists(_ type: any Any.Type) -> Bool { types.contains(ObjectIdentifier(type)) }

    /// Whether a type is one of them, or made of one: a raw value is verified as it is written.
    static func contain(_ type: any Any.Type) -> Bool {
        if let optional = type as? any OptionalType.Type { return contain(optional.wrapped) }
        return types.contains(ObjectIdentifier(type)) || type is any CompositeID.Type
            || type is any RawRepresentable.Type
    }
}
