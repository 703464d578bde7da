import Foundation
import SignalRepository
import Signals

/// An entity with a column of each kind, and an id that the store generates.
struct Exhibit: Entity, Equatable {
    struct Tag: Codable, Equatable { var name: String, weight: Double? }

    var id: Int
    var text: String
    var note: String?
    var real: Double
    var whole: Int
    var price: Decimal
    var fine: Decimal?
    var bytes: Data
    var isSeen: Bool
    var date: Date
    var tags: [Tag]

    static let schema = Schema<Exhibit> {
        Column("id", \.id, .generated)
        Column("text", \.text)
        Column("note", \.note)
        Column("real", \.real)
        Column("whole", \.whole)
        Column("price", \.price, .scale(2))
        Column("fine", \.fine, .scale(18))
        Column("bytes", \.bytes)
        Column("isSeen", \.isSeen)
        Column("date", \.date)
        Column("tags", json: \.tags)
    } decode: { row in
        try Exhibit(
            id: row.next(), text: row.next(), note: row.next(), real: row.next(), whole: row.next(), price: row.next(),
            fine: row.next(), bytes: row.next(), isSeen: row.next(), date: row.next(), tags: row.next())
    }

    /// An exhibit with unusual values, which its number selects.
    static func numbered(_ number: Int) -> Exhibit {
        func one<Value>(_ values: [Value]) -> Value { values[number % values.count] }
        let text = one(TextZoo.texts)
        return Exhibit(
            id: number, text: text, note: number % 3 == 0 ? nil : text + "!",
            real: one([0, -0.0, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1, 3]),
            whole: one([.min, .max, 0, -1, 1 << 53]), price: Decimal(number) / 100,
            fine: one([nil, 0, Decimal(sign: .minus, exponent: -18, significand: 1), 9]),
            bytes: one([Data(), Data([0]), Data(repeating: 255, count: 10_000)]), isSeen: number % 2 == 0,
            date: Date(timeIntervalSinceReferenceDate: one([0, -1e10, 0.1, 1e9 + 0.000_001])),
            tags: one([[], [Tag(name: text, weight: nil), Tag(name: "b", weight: 0.5)]]))
    }
}

/// An entity without references.
struct Land: Entity, Equatable {
    let id: String
    var name: String

    static let schema = Schema(Column("id", \Land.id), Column("name", \.name), make: Land.init)
}

/// An entity that refers to another one.
struct House: Entity, Equatable {
    var id: Int
    var name: String
    var land: String?

    static let schema = Schema(
        Column("id", \House.id, .generated), Column("name", \.name, .unique),
        Column("land", \.land, .references(Land.self)), make: House.init)
}

/// An entity that refers to another one and to itself.
struct Lodger: Entity, Equatable {
    var id: Int
    var house: Int
    var friend: Int?

    static let schema = Schema(
        Column("id", \Lodger.id), Column("house", \.house, .references(House.self)),
        Column("friend", \.friend, .references(Lodger.self, onDelete: .nullify)), make: Lodger.init)
}

/// An entity that has only a key of two columns, and names that need quotes.
struct Visit: Entity, Equatable {
    let house: Int
    let day: String
    var id: CompositeKey<Int, String> { CompositeKey(house, day) }

    static let entityName = "a \"visit\" isn't"
    static let schema = Schema(
        Column("the \"house\"", \Visit.house), Column("day's", \.day), key: [\.house, \.day], make: Visit.init)
}

/// An entity with a full-text index and managed times.
struct Leaflet: Entity, Equatable {
    var id: Int
    var text: String
    var created: Date
    var updated: Date

    static let schema = Schema(
        Column("id", \Leaflet.id), Column("text", \.text), Column("created", \.created, .created),
        Column("updated", \.updated, .updated), search: [\.text], make: Leaflet.init)
}

/// An entity with which a test can act during a copy, when a row with a certain text is read.
struct Parcel: Entity, Equatable {
    let id: Int
    var text: String

    private static let actions = Lock<[String: @Sendable () -> Void]>([:])

    static func on(_ text: String, _ action: (@Sendable () -> Void)?) {
        actions.withLock { $0[text] = action }
    }

    static let schema = Schema(
        Column("id", \Parcel.id), Column("text", \.text),
        make: { id, text in
            actions.withLock { $0[text] }?()
            return Parcel(id: id, text: text)
        })

    /// Parcels, of which the middle one has the given text.
    static func many(_ text: String, count: Int = 2_001) -> [Parcel] {
        (0..<count).map { Parcel(id: $0, text: $0 == count / 2 ? text : "parcel") }
    }
}

extension RawDatabase {
    /// Every value of a table, with its storage class and all its bits.
    func dump(_ table: String, _ columns: [String]) throws -> [String] {
        let values = columns.map { column in
            let name = "\"\(column.replacing("\"", with: "\"\""))\""
            return "typeof(\(name)), CASE typeof(\(name)) WHEN 'real' THEN printf('%!.20e', \(name)) "
                + "ELSE hex(\(name)) END"
        }
        return try rows(
            "SELECT \(values.joined(separator: ", ")) FROM \"\(table.replacing("\"", with: "\"\""))\" ORDER BY 2")
    }

    func dump<Item: Entity>(_ type: Item.Type) throws -> [String] {
        try dump(Item.entityName, Item.schema.columns.map(\.name))
    }
}
