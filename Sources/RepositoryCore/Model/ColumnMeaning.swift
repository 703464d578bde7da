import Foundation

/// The meaning of a column's values if their storage class does not determine it: a number may be a date, or cents.
///
/// An SQL comment on the column records the meaning. In SQLite, this comment is part of the table's declaration, and
/// stays when the column is renamed. A type name could not record the meaning, because a `STRICT` table allows only a
/// few names. Types with the same stored values share a meaning, such as `Int` and an enum with integer raw values.
package enum ColumnMeaning: Sendable, Equatable {
    /// An integer that is a number times ten to the power of `places`; whole numbers have zero places.
    case scaled(places: Int)
    /// A floating-point number.
    case number
    /// A date, as the number of seconds since Foundation's reference date.
    case date
    case text
    case json
    /// The bytes of vectors with this number of components.
    case vector(Int)
    /// Encrypted values. Encrypting and decrypting use this name, and decrypting with any other name fails.
    case encrypted(as: String)

    /// Creates the meaning of a codec's stored values; `nil` if the storage class determines the meaning.
    init?<Codec: ColumnCodec>(_ codec: Codec, places: Int) {
        if let codec = codec as? any OpaqueCodec {
            self = .encrypted(as: codec.boundName)
            return
        }
        let type = (codec as? any KnownCodec)?.storedType ?? Codec.self
        switch codec.storageClass {
        case .integer: self = .scaled(places: codec.isScaled ? places : 0)
        case .real: self = Self.plain(type) == ObjectIdentifier(Date.self) ? .date : .number
        case .text: self = (codec as? any KnownCodec)?.encoding == .json ? .json : .text
        case .blob where Self.plain(type) == ObjectIdentifier(Vector.self) && places > 0: self = .vector(places)
        case .blob, .null: return nil
        }
    }

    /// Returns the stored type without the optionals and raw-value types around it.
    private static func plain(_ type: any Any.Type) -> ObjectIdentifier {
        if let optional = type as? any OptionalType.Type { return plain(optional.wrapped) }
        if let raw = type as? any RawRepresentable.Type { return plain(rawType(raw)) }
        return ObjectIdentifier(type)
    }

    private static func rawType<Value: RawRepresentable>(_ type: Value.Type) -> any Any.Type { Value.RawValue.self }
}

extension ColumnMeaning {
    package var comment: String { "/* \(word) */" }

    private var word: String {
        switch self {
        case .scaled(let places): "scale \(places)"
        case .number: "number"
        case .date: "date"
        case .text: "text"
        case .json: "JSON"
        case .vector(let count): "vector \(count)"
        case .encrypted(let name): "encrypted \(name.percentEncoded)"
        }
    }

    /// A description of the values, for messages.
    var description: String {
        switch self {
        case .scaled(let places): "numbers with \(places.counted("decimal place"))"
        case .number: "floating-point numbers"
        case .date: "dates"
        case .text: "text"
        case .json: "JSON"
        case .vector(let count): "vectors of \(count.counted("component"))"
        case .encrypted(let name): "values encrypted as \(name)"
        }
    }

    /// Returns whether values with one meaning may be read as values with the other.
    ///
    /// The meaning is `nil` if it is not recorded, as in an older file, or in a column that other software made.
    /// Encryption is always recorded, so an unrecorded meaning agrees with any meaning except encryption.
    static func agree(_ one: ColumnMeaning?, _ other: ColumnMeaning?) -> Bool {
        if let one, let other { return one == other }
        return one?.isEncrypted != true && other?.isEncrypted != true
    }

    var isEncrypted: Bool { if case .encrypted = self { true } else { false } }

    /// Parses a comment; returns `nil` for a comment that the library did not write.
    package init?(comment: String) {
        guard comment.hasPrefix("/* "), comment.hasSuffix(" */") else { return nil }
        self.init(word: String(comment.dropFirst(3).dropLast(3)))
    }

    private init?(word: String) {
        if word.hasPrefix("encrypted "), let name = String(word.dropFirst(10)).removingPercentEncoding {
            self = .encrypted(as: name)
            return
        }
        let places = word.hasPrefix("scale ") ? Int(word.dropFirst(6)) : nil
        let components = word.hasPrefix("vector ") ? Int(word.dropFirst(7)) : nil
        let known: [ColumnMeaning] =
            [.number, .date, .text, .json] + (places.map { [.scaled(places: $0)] } ?? [])
            + (components.map { [.vector($0)] } ?? [])
        guard let meaning = known.first(where: { $0.word == word }) else { return nil }
        self = meaning
    }
}
