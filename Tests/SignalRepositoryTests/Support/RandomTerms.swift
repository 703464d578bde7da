import Foundation
import SignalsTesting

@testable import RepositoryCore
@testable import SignalRepository

/// The terms of a query's rows from which random terms are made.
struct RandomTerms<Root>: Sendable {
    var wholes: [Term<Root, Int?>] = []
    var reals: [Term<Root, Double?>] = []
    var prices: [Term<Root, Decimal?>] = []
    var texts: [Term<Root, String?>] = []
    var dates: [Term<Root, Date?>] = []
    var tests: [Condition<Root>] = []

    static func + (left: RandomTerms, right: RandomTerms) -> RandomTerms {
        RandomTerms(
            wholes: left.wholes + right.wholes, reals: left.reals + right.reals, prices: left.prices + right.prices,
            texts: left.texts + right.texts, dates: left.dates + right.dates, tests: left.tests + right.tests)
    }
}

extension RandomTerms {
    init(_ row: Columns<Root, Measure>) {
        wholes = [row.whole.optional, row.small.widened, row.id.optional]
        (reals, prices) = ([row.real.optional, row.maybeReal], [row.price.optional, row.maybePrice])
        (texts, dates, tests) = ([row.text.optional, row.kind], [row.date.optional], [row.isDone])
    }

    init(_ row: OptionalColumns<Root, Measure>) {
        wholes = [row.whole, row.small.widened, row.id]
        (reals, prices) = ([row.real, row.maybeReal], [row.price, row.maybePrice])
        (texts, dates, tests) = ([row.text, row.kind], [row.date], [row.id == nil])
    }

    init(_ row: Columns<Root, Finding>) {
        (wholes, reals, prices) = (
            [row.measure, row.whole.optional, row.id.optional], [row.real], [row.price.optional]
        )
        (texts, dates, tests) = ([row.text.optional], [row.date.optional], [row.measure == nil])
    }

    init(_ row: OptionalColumns<Root, Finding>) {
        (wholes, reals, prices) = ([row.measure, row.whole, row.id], [row.real], [row.price])
        (texts, dates, tests) = ([row.text], [row.date], [row.id == nil])
    }
}

/// An item that refers to a measure, often to none or to a missing one, and whose text can be searched.
struct Finding: Entity, Equatable, StoredValue {
    let id: Int
    var measure: Int?
    var whole: Int
    var real: Double?
    var price: Decimal
    var text: String
    var date: Date

    static let schema = Schema<Finding>(search: [\.text]) {
        // PostgreSQL gives computed outputs these names.
        Column("case", \.id)
        Column("measure", \.measure, .indexed)
        Column("coalesce", \.whole)
        Column("real", \.real)
        Column("price", \.price, .scale(3))
        Column("text", \.text)
        Column("date", \.date)
    } decode: { row in
        try Finding(
            id: row.next(), measure: row.next(), whole: row.next(), real: row.next(), price: row.next(),
            text: row.next(), date: row.next())
    }

    static func random(_ id: Int, _ random: inout SeededGenerator) -> Finding {
        let row = Measure.random(id, &random)
        return Finding(
            id: id, measure: row.small.map { Int($0) + 5 }, whole: row.whole / 6, real: row.maybeReal,
            price: row.maybePrice ?? 1, text: row.text + (row.isDone ? " a" : ""), date: row.date)
    }

    func isStored(like other: Finding) -> Bool { self == other && text.isStored(like: other.text) }
}

extension Measure: StoredValue {
    func isStored(like other: Measure) -> Bool {
        self == other && text.isStored(like: other.text) && kind.isStored(like: other.kind)
    }
}

/// Makes random terms and conditions from the terms of a query's rows.
struct TermGenerator<Root> {
    var random: SeededGenerator
    let terms: RandomTerms<Root>
    /// PostgreSQL computes nothing from texts.
    let kind: StoreKind

    mutating func roll(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private mutating func one<Value>(_ terms: [Term<Root, Value>]) -> Term<Root, Value> { terms[roll(terms.count)] }

    var column: Term<Root, Int?> { terms.wholes[0] }

    mutating func whole(_ depth: Int) -> Term<Root, Int?> {
        if depth == 0 || roll(3) == 0 {
            switch roll(8) {
            case 0 where kind != .postgres: return text(0).count
            case 1: return one(terms.dates).hour()
            default: return one(terms.wholes)
            }
        }
        let (left, right, number) = (whole(depth - 1), whole(depth - 1), roll(9) - 4)
        switch roll(10) {
        case 0: return left + right
        case 1: return left - right
        case 2: return left * right
        case 3: return left / right
        case 4: return left % right
        case 5: return left ?? right
        case 6: return (left ?? number).optional
        case 7: return left + number
        case 8: return left % (number == 0 ? 3 : number)
        default: return left.magnitude
        }
    }

    mutating func real(_ depth: Int) -> Term<Root, Double?> {
        if depth == 0 || roll(3) == 0 { return roll(8) == 0 ? whole(0).cast(as: Double.self) : one(terms.reals) }
        let (left, right) = (real(depth - 1), real(depth - 1))
        switch roll(7) {
        case 0: return left + right
        case 1: return left - right
        case 2: return left * right
        case 3: return left / right
        case 4: return left * 0.1
        case 5: return left ?? right
        default: return left.magnitude
        }
    }

    /// A number for sums: a server rounds sums of fractions, which live ones do not.
    mutating func summand() -> Term<Root, Double?> {
        kind == .postgres ? one(terms.dates).hour().cast(as: Double.self) : real(1)
    }

    mutating func price(_ depth: Int) -> Term<Root, Decimal?> {
        if depth == 0 || roll(3) == 0 { return one(terms.prices) }
        let (left, right) = (price(depth - 1), price(depth - 1))
        switch roll(4) {
        case 0: return left + right
        case 1: return left - right
        case 2: return left ?? right
        default: return left * Decimal(roll(9) - 4)
        }
    }

    mutating func text(_ depth: Int) -> Term<Root, String?> {
        if depth == 0 || roll(3) == 0 { return one(terms.texts) }
        let (left, right, count) = (text(depth - 1), text(depth - 1), roll(4))
        switch kind == .postgres ? 0 : roll(7) {
        case 1: return left.lowercased()
        case 2: return left.uppercased()
        case 3: return left.prefix(count)
        case 4: return left.dropFirst(count)
        case 5: return left.suffix(count)
        case 6: return left + right
        default: return left ?? right
        }
    }

    mutating func condition(_ depth: Int) -> Condition<Root> {
        if depth > 0, roll(3) > 0 {
            let (left, right) = (condition(depth - 1), condition(depth - 1))
            return roll(3) == 0 ? !left : roll(2) == 0 ? left && right : left || right
        }
        switch roll(12) {
        case 0: return compared(whole(depth), whole(depth))
        case 1: return compared(real(depth), real(depth))
        case 2: return compared(price(depth), price(depth))
        case 3: return compared(text(depth), text(depth))
        case 4: return compared(one(terms.dates), one(terms.dates))
        case 5: return one(terms.wholes) > roll(9) - 4
        case 6: return one(terms.wholes) == roll(9) - 4
        case 7: return one(terms.wholes).isIn((0...roll(4)).map { _ in roll(9) - 4 })
        case 8: return one(terms.wholes).between(roll(5) - 4...roll(9))
        case 9: return one(terms.texts).contains(["a", "A", "ä", "b%", ""][roll(5)])
        case 10: return one(terms.texts) == nil
        default: return one(terms.tests)
        }
    }

    private mutating func compared<Value: OrderedValue>(
        _ left: Term<Root, Value>, _ right: Term<Root, Value>
    ) -> Condition<Root> {
        switch roll(6) {
        case 0: left == right
        case 1: left != right
        case 2: left < right
        case 3: left <= right
        case 4: left > right
        default: left >= right
        }
    }
}
