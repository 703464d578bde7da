/// The id of an entity with a composite key: the values of its columns, in the order of the schema's `key`.
///
/// ```swift
/// struct Rating: Entity {
///     let filmID: UUID
///     let critic: String
///     var stars: Int
///     var id: CompositeKey<UUID, String> { CompositeKey(filmID, critic) }
///
///     static let schema = Schema(
///         Column("filmID", \Rating.filmID), Column("critic", \.critic), Column("stars", \.stars),
///         key: [\.filmID, \.critic], make: Rating.init)
/// }
/// ```
public struct CompositeKey<each Part: ColumnValue & Hashable>: ColumnValue, Hashable, CustomStringConvertible {
    /// The values of the columns.
    public let values: (repeat each Part)

    /// Creates the id of the item with these values.
    public init(_ value: repeat each Part) {
        values = (repeat each value)
    }

    /// Whether all values are equal.
    public static func == (left: Self, right: Self) -> Bool {
        for (left, right) in repeat (each left.values, each right.values) {
            if left != right { return false }
        }
        return true
    }

    /// Hashes the values in their order.
    public func hash(into hasher: inout Hasher) {
        for value in repeat each values { hasher.combine(value) }
    }

    /// The values, separated by commas.
    public var description: String { parts.map { "\($0)" }.joined(separator: ", ") }
}

// Where one value must represent the whole key, as in the URL of an item, the key is encoded as text.
extension CompositeKey {
    /// Stored as text where a single value must represent the whole key.
    public static var storageClass: StorageClass { .text }

    /// Reads the text that `write(to:)` wrote.
    public static func read(from cell: ColumnCell) throws -> Self {
        let stored = try KeyEncoding.values(of: cell.text())
        return try Self(stored: stored, scales: Array(repeating: cell.scale, count: stored.count))
    }

    /// Writes the values as one text.
    public func write(to slot: ColumnSlot) throws {
        try slot.bind(text: try KeyEncoding.text(of: parts.map { try $0.sqlValue(scale: slot.scale) }))
    }
}

protocol CompositeID {
    static var types: [any ColumnValue.Type] { get }
    var parts: [any ColumnValue] { get }
    /// Creates the id from stored values; if `scales` is empty, each scale is zero.
    init(stored: [SQLValue], scales: [Int]) throws
}

extension CompositeKey: CompositeID {
    static var types: [any ColumnValue.Type] {
        var types: [any ColumnValue.Type] = []
        for type in repeat (each Part).self { types.append(type) }
        return types
    }

    var parts: [any ColumnValue] {
        var parts: [any ColumnValue] = []
        for value in repeat each values { parts.append(value) }
        return parts
    }

    init(stored: [SQLValue], scales: [Int]) throws {
        guard stored.count == Self.types.count else { throw ColumnFault.value("the key has a wrong number of parts") }
        var position = 0
        func next<Value: ColumnValue>(_ type: Value.Type) throws -> Value {
            defer { position += 1 }
            return try stored[position].value(type, scale: scales.isEmpty ? 0 : scales[position])
        }
        values = (repeat try next((each Part).self))
    }
}

/// An encoding of several stored values as one text; different lists have different texts.
enum KeyEncoding {
    static func text(of values: [SQLValue]) throws -> String {
        try values.map { value in
            // SQLite stores -0.0 as 0.0, so both must have one text.
            let value = if case .real(0) = value { SQLValue.real(0) } else { value }
            guard let text = value.encodedText else { throw ColumnFault.value("a part of the key is NULL") }
            return text
        }
        .joined(separator: ",")
    }

    static func values(of text: String) throws -> [SQLValue] {
        try text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            guard let value = SQLValue(encodedText: part) else { throw ColumnFault.value("the text is not a key") }
            return value
        }
    }
}
