import Foundation

/// What the values of a column mean, where their storage class does not say it: a number may be a date, or cents.
///
/// It stands in the table's declaration, in a comment: SQLite keeps it when the column is renamed, and a `STRICT` table
/// has no type name that could say it. Types whose stored values mean the same have one meaning, as `Int` and an enum
/// of numbers.
package enum ColumnMeaning: Sendable, Equatable {
    /// A number times ten to the power of the places; whole numbers have none.
    case scaled(places: Int)
    /// A floating-point number.
    case number
    /// Seconds since the reference date.
    case date
    case text
    case json
    /// What is encrypted under a name, and can be read under no other.
    case encrypted(as: String)

    /// The meaning of what a codec stores; `nil` where its storage class says everything.
    init?<Codec: ColumnCodec>(_ codec: Codec, places: Int) {
        if let codec = codec as? any OpaqueCodec {
            self = .encrypted(as: codec.boundName)
            return
        }
        let type = (codec as? any KnownCodec)?.storedType ?? Codec.self
        switch codec.storageClass {
        case .integer: self = .scaled(places: codec.isScaled ? places : 0)
        case .real: self = Self.plain(type) == ObjectIdentifier(Date.self) ? .date : .number
        case .text: self = (codec as? any KnownCodec)?.form == .json ? .json : .text
        case .blob, .null: return nil
        }
    }

    /// The type that is stored, without optionals and raw values around it.
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
        case .encrypted(let name): "encrypted \(name.percentEncoded)"
        }
    }

    /// What the values are, for a message.
    var description: String {
        switch self {
        case .scaled(let places): "numbers with \(places.counted("decimal place"))"
        case .number: "floating-point numbers"
        case .date: "dates"
        case .text: "text"
        case .json: "JSON"
        case .encrypted(let name): "values encrypted as \(name)"
        }
    }

    /// Whether values of a column may be taken for those of another.
    ///
    /// Of an older file, or a column that others made, it is not known; but what is encrypted is always recorded.
    static func agree(_ one: ColumnMeaning?, _ other: ColumnMeaning?) -> Bool {
        if let one, let other { return one == other }
        return one?.isEncrypted != true && other?.isEncrypted != true
    }

    var isEncrypted: Bool { if case .encrypted = self { true } else { false } }

    /// Reads a comment; `nil` for one that the library has not written.
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
        let known: [ColumnMeaning] = [.number, .date, .text, .json] + (places.map { [.scaled(places: $0)] } ?? [])
        guard let meaning = known.first(where: { $0.word == word }) else { return nil }
        self = meaning
    }
}
