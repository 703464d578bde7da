import Foundation
import SignalsTesting

@testable import RepositoryCore
@testable import SignalRepository

/// A term, and the same computation in plain Swift.
struct Computation<Value: ColumnValue>: Sendable {
    let term: Term<Measure, Value>
    let text: String
    let number: @Sendable (Measure) -> Computed?
}

/// A text term, and the same computation in plain Swift.
struct TextExpression: Sendable {
    let term: Term<Measure, String?>
    let text: String
    let value: @Sendable (Measure) -> String?
}

/// A condition, and the same test in plain Swift.
struct Meant: Sendable {
    let term: Condition<Measure>
    let text: String
    let test: @Sendable (Measure) -> Bool
}

/// Makes random expressions.
struct ExpressionGenerator {
    var random: SeededGenerator
    /// The kind of store: PostgreSQL computes nothing from texts, and overflows where SQLite has infinite numbers.
    var kind = StoreKind.memory

    mutating func roll(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    mutating func constant() -> Int {
        // The tests of arithmetic cover numbers that are too large for 64 bits.
        roll(8) == 0 ? [100, -100, 64, 99][roll(4)] : roll(13) - 6
    }

    var columns: Columns<Measure, Measure> { Measure.queryTerms }

    /// An expression of whole numbers, which may be missing.
    mutating func whole(_ depth: Int) -> Computation<Int?> {
        if depth == 0 || roll(4) == 0 {
            switch roll(4) {
            case 0:
                return Computation(term: columns.small.widened, text: "small") { $0.small.map { .whole(Int64($0)) } }
            case 1 where kind != .postgres:
                let text = text(0)
                return Computation(term: text.term.count, text: "count(\(text.text))") { row in
                    text.value(row).map { .whole(Int64($0.count)) }
                }
            case 2:
                let isLate = condition(0)
                let term = Term<Measure, Int?>(catching: { () throws(RepositoryError) in
                    TermValue(try isLate.term.value().term, isOptional: true, .integer)
                })
                return Computation(term: term, text: "(\(isLate.text))") { .whole(isLate.test($0) ? 1 : 0) }
            default: break
            }
            return Computation(term: columns.whole.optional, text: "whole") { .whole(Int64($0.whole)) }
        }
        let left = whole(depth - 1)
        if roll(10) == 0 { return chain(left) }
        return roll(2) == 0 ? withConstant(left) : combined(left, whole(depth - 1))
    }

    /// One number added or subtracted several times, in more links than SQLite's parser accepts one by one.
    private mutating func chain(_ left: Computation<Int?>) -> Computation<Int?> {
        let (count, number, isAdded) = (2 + roll(12), roll(3) - 1, roll(2) == 0)
        let term = (0..<count).reduce(left.term) { term, _ in isAdded ? term + number : term - number }
        let change = Computed.whole(Int64((isAdded ? number : -number) * count))
        return Computation(term: term, text: "(\(left.text) \(isAdded ? "+" : "-") \(count) times \(number))") {
            left.number($0)?.plus(change)
        }
    }

    /// A whole number and a constant.
    private mutating func withConstant(_ left: Computation<Int?>) -> Computation<Int?> {
        let number = constant()
        let other = Computed.whole(Int64(number))
        switch roll(7) {
        case 0:
            return Computation(term: left.term + number, text: "(\(left.text) + \(number))") {
                left.number($0)?.plus(other)
            }
        case 1:
            return Computation(term: left.term - number, text: "(\(left.text) - \(number))") {
                left.number($0)?.minus(other)
            }
        case 2:
            return Computation(term: left.term * number, text: "(\(left.text) * \(number))") {
                left.number($0)?.times(other)
            }
        case 3:
            let term: Term<Measure, Int?> = Optional(number) - left.term
            return Computation(term: term, text: "(\(number) - \(left.text))") { row in
                left.number(row).flatMap { other.minus($0) }
            }
        case 4 where number != 0:
            return Computation(term: left.term / number, text: "(\(left.text) / \(number))") {
                left.number($0)?.dividedBy(other)
            }
        case 5 where number != 0:
            return Computation(term: left.term % number, text: "(\(left.text) % \(number))") {
                left.number($0)?.remainder(other)
            }
        case 6:
            return Computation(term: (left.term ?? number).optional, text: "(\(left.text) ?? \(number))") {
                left.number($0) ?? other
            }
        default:
            return Computation(term: -left.term, text: "-\(left.text)") { row in
                left.number(row).flatMap { Computed.whole(0).minus($0) }
            }
        }
    }

    private mutating func combined(_ left: Computation<Int?>, _ right: Computation<Int?>) -> Computation<Int?> {
        switch roll(6) {
        case 0: return combine(left, right, "+", left.term + right.term) { $0.plus($1) }
        case 1: return combine(left, right, "-", left.term - right.term) { $0.minus($1) }
        case 2: return combine(left, right, "*", left.term * right.term) { $0.times($1) }
        case 3: return combine(left, right, "/", left.term / right.term) { $0.dividedBy($1) }
        case 4: return combine(left, right, "%", left.term % right.term) { $0.remainder($1) }
        default:
            return Computation(term: left.term ?? right.term, text: "(\(left.text) ?? \(right.text))") {
                left.number($0) ?? right.number($0)
            }
        }
    }

    /// An expression of floating-point numbers, which may be missing.
    mutating func real(_ depth: Int) -> Computation<Double?> {
        if depth == 0 || roll(4) == 0 {
            if roll(2) == 0 {
                return Computation(term: columns.real.optional, text: "real") { .real($0.real) }
            }
            return Computation(term: columns.maybeReal, text: "maybeReal") { $0.maybeReal.map { .real($0) } }
        }
        let (left, right) = (real(depth - 1), real(depth - 1))
        let number = [0.5, -2.0, kind == .postgres ? 1e9 : 1e300, .infinity, 0.1][roll(5)]
        switch roll(7) {
        case 0: return combine(left, right, "+", left.term + right.term) { $0.plus($1) }
        case 1: return combine(left, right, "-", left.term - right.term) { $0.minus($1) }
        case 2: return combine(left, right, "*", left.term * right.term) { $0.times($1) }
        case 3: return combine(left, right, "/", left.term / right.term) { $0.dividedBy($1) }
        case 4:
            return Computation(term: left.term * number, text: "(\(left.text) * \(number))") {
                left.number($0)?.times(.real(number))
            }
        case 5:
            return Computation(term: left.term / number, text: "(\(left.text) / \(number))") {
                left.number($0)?.dividedBy(.real(number))
            }
        default:
            return Computation(term: left.term + number, text: "(\(left.text) + \(number))") {
                left.number($0)?.plus(.real(number))
            }
        }
    }

    /// An expression of money, in thousandths, which may be missing.
    mutating func price(_ depth: Int) -> Computation<Decimal?> {
        if depth == 0 || roll(4) == 0 {
            if roll(2) == 0 {
                return Computation(term: columns.price.optional, text: "price") { .whole($0.price.thousandths) }
            }
            return Computation(term: columns.maybePrice, text: "maybePrice") {
                $0.maybePrice.map { .whole($0.thousandths) }
            }
        }
        let (left, right) = (price(depth - 1), price(depth - 1))
        switch roll(3) {
        case 0: return combine(left, right, "+", left.term + right.term) { $0.plus($1) }
        case 1: return combine(left, right, "-", left.term - right.term) { $0.minus($1) }
        default:
            let number = roll(9) - 4
            return Computation(term: left.term * Decimal(number), text: "(\(left.text) * \(number))") {
                left.number($0)?.times(.whole(Int64(number)))
            }
        }
    }

    private func combine<Value>(
        _ left: Computation<Value>, _ right: Computation<Value>, _ sign: String, _ term: Term<Measure, Value>,
        _ compute: @escaping @Sendable (Computed, Computed) -> Computed?
    ) -> Computation<Value> {
        Computation(term: term, text: "(\(left.text) \(sign) \(right.text))") { row in
            guard let left = left.number(row), let right = right.number(row) else { return nil }
            return compute(left, right)
        }
    }

    mutating func text(_ depth: Int) -> TextExpression {
        if depth == 0 || roll(3) == 0 {
            if roll(2) == 0 { return TextExpression(term: columns.text.optional, text: "text") { $0.text } }
            return TextExpression(term: columns.kind, text: "kind") { $0.kind }
        }
        let inner = text(depth - 1)
        let count = roll(4)
        switch kind == .postgres ? 6 : roll(8) {
        case 7:
            let links = 2 + roll(30)
            let term = (0..<links).reduce(inner.term) { term, _ in term + "é" }
            return TextExpression(term: term, text: "(\(inner.text) + \(links) times é)") {
                inner.value($0).map { $0 + String(repeating: "é", count: links) }
            }
        case 0:
            return TextExpression(term: inner.term.lowercased(), text: "lower(\(inner.text))") {
                inner.value($0)?.lowercased()
            }
        case 1:
            return TextExpression(term: inner.term.uppercased(), text: "upper(\(inner.text))") {
                inner.value($0)?.uppercased()
            }
        case 2:
            return TextExpression(term: inner.term.prefix(count), text: "prefix(\(inner.text), \(count))") {
                inner.value($0).map { String($0.prefix(count)) }
            }
        case 3:
            return TextExpression(term: inner.term.suffix(count), text: "suffix(\(inner.text), \(count))") {
                inner.value($0).map { String($0.suffix(count)) }
            }
        case 4:
            return TextExpression(term: inner.term.dropFirst(count), text: "dropFirst(\(inner.text), \(count))") {
                inner.value($0).map { String($0.dropFirst(count)) }
            }
        case 5:
            return TextExpression(term: inner.term.dropLast(count), text: "dropLast(\(inner.text), \(count))") {
                inner.value($0).map { String($0.dropLast(count)) }
            }
        default:
            let other = text(depth - 1)
            return TextExpression(term: inner.term ?? other.term, text: "(\(inner.text) ?? \(other.text))") {
                inner.value($0) ?? other.value($0)
            }
        }
    }
}

extension Decimal {
    /// The number as the column stores it.
    fileprivate var thousandths: Int64 { (self * 1000 as NSDecimalNumber).int64Value }
}

extension Term where Value: ColumnValue {
    /// The same small number, as a larger type.
    var widened: Term<Root, Int?> {
        Term<Root, Int?>(catching: { () throws(RepositoryError) in
            let value = try value()
            return TermValue(value.term, isOptional: true, value.storageClass)
        })
    }

    /// The same term as an optional one.
    var optional: Term<Root, Value?> {
        Term<Root, Value?>(catching: { () throws(RepositoryError) in
            let value = try value()
            return TermValue(
                value.term, isOptional: true, value.storageClass, scale: value.scale, column: nil,
                mayBeNaN: value.mayBeNaN, depth: value.depth)
        })
    }
}
