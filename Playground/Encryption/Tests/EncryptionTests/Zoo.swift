import Foundation
import SignalRepository
import SignalRepositoryCrypto

/// A key for tests, which is made from a number.
func key(_ number: UInt8) throws(RepositoryError) -> ColumnKey {
    try ColumnKey([UInt8](repeating: number, count: 32))
}

/// Everything that a column can hold, encrypted.
struct Zoo: Entity, Equatable {
    enum Colour: String, ColumnValue { case red, blue }
    enum Level: Int, ColumnValue { case low = -1, high = 1 }
    struct Address: Codable, Equatable { var street: String, lines: [String] }

    static let keys = ColumnKeys()

    let id: Int
    var text: String
    var number: Int
    var real: Double
    var date: Date
    var price: Decimal
    var bytes: Data
    var uuid: UUID
    var flag: Bool
    var colour: Colour
    var level: Level?
    var note: String?
    var count: Int?
    var address: Address
    var other: Address?

    static let schema = Schema<Zoo> {
        Column("id", \.id)
        Column("text", encrypted: \.text, with: keys)
        Column("number", encrypted: \.number, with: keys)
        Column("real", encrypted: \.real, with: keys)
        Column("date", encrypted: \.date, with: keys)
        Column("price", encrypted: \.price, with: keys, .scale(3))
        Column("bytes", encrypted: \.bytes, with: keys)
        Column("uuid", encrypted: \.uuid, with: keys)
        Column("flag", encrypted: \.flag, with: keys)
        Column("colour", encrypted: \.colour, with: keys)
        Column("level", encrypted: \.level, with: keys)
        Column("note", encrypted: \.note, with: keys)
        Column("count", encrypted: \.count, with: keys)
        Column("address", encryptedJSON: \.address, with: keys)
        Column("other", encryptedJSON: \.other, with: keys)
    } decode: { row in
        try Zoo(
            id: row.next(), text: row.next(), number: row.next(), real: row.next(), date: row.next(),
            price: row.next(), bytes: row.next(), uuid: row.next(), flag: row.next(), colour: row.next(),
            level: row.next(), note: row.next(), count: row.next(), address: row.next(), other: row.next())
    }

    static let texts = [
        "", "plain", "a\0b", "é", "e\u{301}", "\u{FEFF}", "👩‍👩‍👧‍👦", String(repeating: "0123456789", count: 1_000), "'\"--",
        "Ω\n\t",
    ]
    static let numbers = [0, 1, -1, Int.max, Int.min, 1 << 53]
    static let reals = [0, -0.0, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1, .pi]

    static func numbered(_ index: Int) -> Zoo {
        func one<Value>(_ values: [Value]) -> Value { values[index % values.count] }
        return Zoo(
            id: index, text: one(texts), number: one(numbers), real: one(reals),
            date: Date(timeIntervalSinceReferenceDate: one(reals.filter(\.isFinite))),
            price: Decimal(index * 7 - 9_000) / 1_000,
            bytes: Data((0..<index % 40).map { UInt8(truncatingIfNeeded: $0 &* 37) }), uuid: UUID(),
            flag: index.isMultiple(of: 2), colour: one([.red, .blue]), level: one([.low, nil, .high]),
            note: one([nil] + texts), count: one([nil, 0, .max]),
            address: Address(street: one(texts), lines: Array(texts.prefix(index % 4))),
            other: one([nil, Address(street: "", lines: [])]))
    }

    /// Whether another item has the same bits and bytes, not all of which `==` compares.
    func isSame(as other: Zoo) -> Bool {
        self == other && real.bitPattern == other.real.bitPattern
            && date.timeIntervalSinceReferenceDate.bitPattern == other.date.timeIntervalSinceReferenceDate.bitPattern
            && text.utf8.elementsEqual(other.text.utf8) && (note ?? "").utf8.elementsEqual((other.note ?? "").utf8)
            && address.street.utf8.elementsEqual(other.address.street.utf8)
    }
}

/// Two encrypted columns of one type, and readable ones.
struct Card: Entity, Equatable {
    static let keys = ColumnKeys()

    let id: Int
    var title: String
    var secret: String
    var pin: String?

    static let schema = Schema(
        Column("id", \Card.id), Column("title", \.title), Column("secret", encrypted: \.secret, with: keys),
        Column("pin", encrypted: \.pin, with: keys), make: Card.init)
}

/// The cards before they were encrypted.
struct OpenCard: Entity, Equatable {
    static let entityName = "Card"

    let id: Int
    var title: String
    var secret: String
    var pin: String?

    static let schema = Schema(
        Column("id", \OpenCard.id), Column("title", \.title), Column("secret", \.secret), Column("pin", \.pin),
        make: OpenCard.init)
}

/// The cards as a program without keys sees them.
struct ByteCard: Entity, Equatable {
    static let entityName = "Card"

    let id: Int
    var title: String
    var secret: Data
    var pin: Data?

    static let schema = Schema(
        Column("id", \ByteCard.id), Column("title", \.title), Column("secret", \.secret), Column("pin", \.pin),
        make: ByteCard.init)
}

/// The cards after a column was renamed, with or without the name that its values are bound to.
struct Renamed<Bound: BoundName>: Entity, Equatable {
    static var entityName: String { "Card" }

    let id: Int
    var title: String
    var hidden: String
    var pin: String?

    static var schema: Schema<Renamed> {
        Schema(
            Column("id", \Renamed.id), Column("title", \.title),
            Column("hidden", encrypted: \.hidden, with: Card.keys, boundTo: Bound.name),
            Column("pin", encrypted: \.pin, with: Card.keys), make: Renamed.init)
    }
}

protocol BoundName: SendableMetatype { static var name: String? { get } }
enum Unbound: BoundName { static let name: String? = nil }
enum Rebound: BoundName { static let name: String? = "Card.secret" }
