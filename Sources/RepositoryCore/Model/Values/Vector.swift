/// A vector of floating-point numbers, such as the embedding of a text.
///
/// A column of vectors declares how many components each one has; see `ColumnOption.dimensions(_:)`. Queries sort and
/// filter by the distance to a vector; see `Term.distance(to:_:)`.
///
/// ```swift
/// struct Note: Entity {
///     let id: Int
///     var text: String
///     var embedding: Vector
///
///     static let schema = Schema(
///         Column("id", \Note.id), Column("text", \.text), Column("embedding", \.embedding, .dimensions(3)),
///         make: Note.init)
/// }
/// let near = Note.all.sorted { $0.embedding.distance(to: [0.1, 0.7, 0.2], .cosine) }.limit(20)
/// ```
public struct Vector: ColumnValue, Hashable, Sendable, Codable, ExpressibleByArrayLiteral {
    /// The components.
    public let elements: [Float]

    /// Creates a vector of components; a negative zero becomes zero, so that equal vectors have equal bytes.
    public init(_ elements: some Sequence<Float>) {
        self.elements = elements.map { $0 + 0 }
    }

    /// Creates a vector of the listed components.
    public init(arrayLiteral elements: Float...) {
        self.init(elements)
    }

    /// Decodes an array of components.
    public init(from decoder: any Decoder) throws {
        self.init(try [Float](from: decoder))
    }

    /// Encodes an array of components.
    public func encode(to encoder: any Encoder) throws {
        try elements.encode(to: encoder)
    }
}

extension Vector {
    /// Stored as bytes: four for each component, in the little-endian order of every supported platform.
    @inlinable
    public static var storageClass: StorageClass { .blob }

    /// Reads the components, bit for bit; throws if one is not finite, or if there are more or fewer than declared.
    @inline(never)
    public static func read(from cell: ColumnCell) throws -> Vector {
        let vector = try cell.withBytes { bytes in
            guard bytes.count % 4 == 0 else {
                throw ColumnFault.value("a vector has 4 bytes for each component, found \(bytes.count)")
            }
            return Vector(bytes)
        }
        try vector.check(dimensions: cell.scale)
        return vector
    }

    /// Binds the components; throws if one is not finite, or if there are more or fewer than declared.
    @inline(never)
    public func write(to slot: ColumnSlot) throws {
        try check(dimensions: slot.places.dimensions)
        try elements.withUnsafeBytes { bytes in try slot.bind(bytes: bytes) }
    }

    private init(_ bytes: UnsafeRawBufferPointer) {
        var elements = [Float](repeating: 0, count: bytes.count / 4)
        elements.withUnsafeMutableBytes { $0.copyMemory(from: bytes) }
        self.elements = elements
    }

    /// Throws if a component is not finite, or if their number is not `dimensions`; 0 allows any number.
    private func check(dimensions: Int) throws {
        guard dimensions == 0 || elements.count == dimensions else {
            throw ColumnFault.value(
                "expected a vector of \(dimensions.counted("component")), found \(elements.count)")
        }
        if let index = elements.firstIndex(where: { !$0.isFinite }) {
            throw ColumnFault.value("component \(index) of the vector is \(elements[index]), which is not finite")
        }
    }
}

extension ColumnValue {
    /// Whether the type is `Vector` or an optional of it.
    static var isVector: Bool { Plain.self == Vector.self }
}
