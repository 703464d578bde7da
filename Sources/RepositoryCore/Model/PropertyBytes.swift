import Foundation

/// The bytes of a property in the memory of an item, for tests of its value that take only a few instructions.
struct PropertyBytes: Sendable {
    /// The property's offset in the item; -1 if it is computed.
    private let offset: Int
    private let size: Int
    let isOptional: Bool
    /// A test of whether an item's property is `nil`; `nil` if the property is computed or not optional.
    let isNil: (@Sendable (UnsafeRawPointer) -> Bool)?

    init<Value>(_ type: Value.Type, offset: Int) {
        self.offset = offset
        size = MemoryLayout<Value>.size
        let optional = type as? any OptionalType.Type
        isOptional = optional != nil
        isNil = offset < 0 ? nil : optional.map { Self.known[ObjectIdentifier($0)]?(offset) ?? Self.test($0, offset) }
    }

    /// Whether the property is stored in the item, not computed.
    var isStored: Bool { offset >= 0 }

    /// Whether two items have the same bytes in the property, and so the same value; false for a computed property.
    func isSame(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Bool {
        // Safe because a property of this size is at the offset in both items.
        offset >= 0 && memcmp(left + offset, right + offset, size) == 0
    }

    private static func test<Property: OptionalType>(
        _ type: Property.Type, _ offset: Int
    ) -> @Sendable (UnsafeRawPointer) -> Bool {
        // Safe because a property of this type is at the offset.
        { item in (item + offset).assumingMemoryBound(to: Property.self).pointee.isNil }
    }

    /// Specialized tests of common types: such a test takes a few instructions, an unspecialized one takes hundreds.
    private static let known: [ObjectIdentifier: @Sendable (Int) -> @Sendable (UnsafeRawPointer) -> Bool] = [
        ObjectIdentifier(Int?.self): { test(Int?.self, $0) }, ObjectIdentifier(Int64?.self): { test(Int64?.self, $0) },
        ObjectIdentifier(Bool?.self): { test(Bool?.self, $0) },
        ObjectIdentifier(Double?.self): { test(Double?.self, $0) },
        ObjectIdentifier(Date?.self): { test(Date?.self, $0) },
        ObjectIdentifier(Decimal?.self): { test(Decimal?.self, $0) },
        ObjectIdentifier(String?.self): { test(String?.self, $0) },
        ObjectIdentifier(Data?.self): { test(Data?.self, $0) },
        ObjectIdentifier(UUID?.self): { test(UUID?.self, $0) },
    ]
}
