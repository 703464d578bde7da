import Foundation
import SignalRepository
import SignalsTesting

/// An item with every kind of number, and an optional text.
struct Piece: Entity, Equatable {
    let id: Int
    var title: String
    var price: Decimal
    var weight: Double?
    var studio: String?

    static let schema = Schema(
        Column("id", \Piece.id), Column("title", \.title), Column("price", \.price, .scale(2)),
        Column("weight", \.weight), Column("studio", \.studio, .indexed), make: Piece.init)

    static func random(_ random: inout SeededGenerator, id: Int? = nil) -> Piece {
        Piece(
            id: id ?? Int.random(in: 0..<24, using: &random), title: TextZoo.random(&random),
            price: Decimal(Int.random(in: 0..<1000, using: &random)) / 100,
            // Quarters, so that sums are exact in any order.
            weight: Bool.random(using: &random) ? Double(Int.random(in: -8...8, using: &random)) / 4 : nil,
            studio: Int.random(in: 0..<4, using: &random) == 0 ? nil : TextZoo.random(&random))
    }
}

/// A rating of a piece, deleted with it.
struct Rating: Entity, Equatable {
    let id: Int
    var piece: Int
    var stars: Int

    static let schema = Schema(
        Column("id", \Rating.id), Column("piece", \.piece, .references(Piece.self, onDelete: .cascade)),
        Column("stars", \.stars), make: Rating.init)

    static func random(_ random: inout SeededGenerator) -> Rating {
        Rating(
            id: Int.random(in: 0..<16, using: &random), piece: Int.random(in: 0..<24, using: &random),
            stars: Int.random(in: 1...5, using: &random))
    }
}

/// An item whose key is a text, in forms that Swift treats as equal.
struct Entry: Entity, Equatable {
    let id: String
    var text: String
    var uses: Int

    static let schema = Schema(
        Column("id", \Entry.id), Column("text", \.text), Column("uses", \.uses, .indexed), make: Entry.init)

    static func random(_ random: inout SeededGenerator) -> Entry {
        Entry(id: TextZoo.random(&random), text: TextZoo.random(&random), uses: Int.random(in: 0..<3, using: &random))
    }
}

/// An item with operands of computed terms: numbers at the ends of their types, infinities, vectors and NULL.
struct Gauge: Entity, Equatable {
    let id: Int
    var whole: Int
    var other: Int?
    var real: Double?
    var text: String
    var date: Date
    var spot: Vector?

    static let schema = Schema<Gauge> {
        Column("id", \.id)
        Column("whole", \.whole)
        Column("other", \.other)
        Column("real", \.real)
        Column("text", \.text)
        Column("date", \.date)
        Column("spot", \.spot, .dimensions(3))
    } decode: { row in
        try Gauge(
            id: row.next(), whole: row.next(), other: row.next(), real: row.next(), text: row.next(), date: row.next(),
            spot: row.next())
    }

    private static let wholes = [0, 1, -1, 7, 100, .max, .min, .max - 1, .min + 1, 1 << 53, (1 << 53) + 1]
    private static let reals = [0, -0.0, 1.5, -2, 1e300, .infinity, -.infinity, .leastNonzeroMagnitude]
    private static let seconds = [0, -0.5, 1e9, 7.25e8, -6e10, 1e17]

    static func random(_ random: inout SeededGenerator) -> Gauge {
        Gauge(
            id: Int.random(in: 0..<20, using: &random), whole: wholes.randomElement(using: &random) ?? 0,
            other: Bool.random(using: &random) ? wholes.randomElement(using: &random) : nil,
            real: Bool.random(using: &random) ? reals.randomElement(using: &random) : nil,
            text: TextZoo.random(&random),
            date: Date(timeIntervalSinceReferenceDate: seconds.randomElement(using: &random) ?? 0),
            spot: Int.random(in: 0..<4, using: &random) == 0 ? nil : .random(&random))
    }
}

extension Gauge: StoredValue {
    func isStored(like other: Gauge) -> Bool { self == other && text.isStored(like: other.text) }
}

extension Piece: StoredValue {
    func isStored(like other: Piece) -> Bool {
        self == other && title.isStored(like: other.title) && studio.isStored(like: other.studio)
    }
}

extension Entry: StoredValue {
    func isStored(like other: Entry) -> Bool {
        self == other && id.isStored(like: other.id) && text.isStored(like: other.text)
    }
}

extension Rating: StoredValue {}

/// Everything that the store of a history holds, in the order of the keys.
struct HistoryState: Sendable {
    var pieces: [Piece] = []
    var ratings: [Rating] = []
    var terms: [Entry] = []
    /// The same terms in the order of the table's rows.
    var rows: [Entry] = []
    var gauges: [Gauge] = []
    /// The results of the queries of several tables.
    var linked: [any Sendable] = []

    init() {}

    init(_ store: ReadTransaction) throws {
        pieces = try store.fetch(Piece.all.sorted(by: \.id))
        ratings = try store.fetch(Rating.all.sorted(by: \.id))
        terms = try store.fetch(Entry.all.sorted(by: \.id))
        rows = try store.fetch(Entry.all)
        gauges = try store.fetch(Gauge.all.sorted(by: \.id))
        linked = try LinkedQuery.fresh(store)
    }
}
