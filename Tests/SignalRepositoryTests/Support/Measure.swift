import Foundation
import SignalsTesting

@testable import RepositoryCore
@testable import SignalRepository

/// An entity of numbers and texts of every kind, for conditions and aggregates.
struct Measure: Entity, Equatable {
    let id: Int
    var whole: Int
    var small: Int8?
    var real: Double
    var maybeReal: Double?
    var price: Decimal
    var maybePrice: Decimal?
    var text: String
    var kind: String?
    var date: Date
    var isDone: Bool

    static let schema = Schema<Measure> {
        Column("id", \.id)
        Column("whole", \.whole)
        Column("small", \.small)
        Column("real", \.real)
        Column("maybeReal", \.maybeReal)
        Column("price", \.price, .scale(2))
        Column("maybePrice", \.maybePrice, .scale(3))
        Column("text", \.text)
        Column("kind", \.kind, .indexed)
        Column("date", \.date)
        Column("isDone", \.isDone)
    } decode: { row in
        try Measure(
            id: row.next(), whole: row.next(), small: row.next(), real: row.next(), maybeReal: row.next(),
            price: row.next(), maybePrice: row.next(), text: row.next(), kind: row.next(), date: row.next(),
            isDone: row.next())
    }

    /// The row with texts that PostgreSQL can hold.
    var withoutNUL: Measure {
        var row = self
        (row.text, row.kind) = (text.withoutNUL, kind?.withoutNUL)
        return row
    }

    /// A row that can be decoded, with its id as its numbers.
    static func numbered(_ id: Int) -> Measure {
        var random = SeededGenerator(seed: UInt64(id))
        var row = Measure.random(id, &random)
        (row.whole, row.real, row.small) = (id, Double(id), nil)
        return row
    }

    /// Makes the row of an id undecodable, in any store.
    static let spoil: SQL = #"UPDATE "Measure" SET small = 1000 WHERE id = ?"#

    static func random(_ id: Int, _ random: inout SeededGenerator) -> Measure {
        let words = ["", "a", "A", "b%", "_x", "Äpfel", "äpfel", "zebra", "Zebra", "a\\b", "it's", "日本"]
        let isThere = Bool.random(using: &random)
        return Measure(
            id: id, whole: Int.random(in: -20...20, using: &random),
            small: isThere ? Int8.random(in: -5...5, using: &random) : nil,
            real: Double(Int.random(in: -40...40, using: &random)) / 8,
            maybeReal: Bool.random(using: &random) ? Double(Int.random(in: -4...4, using: &random)) : nil,
            price: Decimal(Int.random(in: -500...500, using: &random)) / 100,
            maybePrice: Bool.random(using: &random) ? Decimal(Int.random(in: -50...50, using: &random)) / 1000 : nil,
            text: words.randomElement(using: &random) ?? "",
            kind: Bool.random(using: &random) ? words.randomElement(using: &random) : nil,
            date: Date(timeIntervalSinceReferenceDate: Double(Int.random(in: 0...30, using: &random)) / 4),
            isDone: Bool.random(using: &random))
    }
}

extension Measure {
    /// A row with numbers at the ends of their types, and with texts that are easily confused.
    static func extreme(_ id: Int, _ random: inout SeededGenerator, _ kind: StoreKind) -> Measure {
        var row = Measure.random(id, &random)
        (row.text, row.kind) = (TextZoo.random(&random), id % 3 == 0 ? nil : TextZoo.random(&random))
        // The longest texts would make everything slow.
        if row.text.utf8.count > 100 { row.text = "long" }
        if let kind = row.kind, kind.utf8.count > 100 { row.kind = "long" }
        let reals = [
            0, -0.0, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 0.1, 1e15, -1e-9,
        ]
        row.real = reals.randomElement(using: &random) ?? 0
        row.maybeReal = id % 2 == 0 ? nil : reals.randomElement(using: &random)
        if id % 2 == 0 {
            row.whole = Int(Amount.zoo.randomElement(using: &random) ?? 0)
            row.price = ScaledDecimal.decimal(Amount.zoo.randomElement(using: &random) ?? 0, scale: 2)
        }
        let seconds = [0, -0.5, 1e9 / 7, -6.3e10, 1e14, -1e14, 1e18, .infinity]
        row.date = Date(timeIntervalSinceReferenceDate: seconds.randomElement(using: &random) ?? 0)
        return kind == .postgres ? row.withoutNUL : row
    }
}
