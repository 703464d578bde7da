import Foundation
import SignalsTesting

@testable import SignalRepository

/// A number as SQLite has it: whole until it is too large for 64 bits.
enum Computed: Equatable {
    case whole(Int64)
    case real(Double)

    var real: Double {
        switch self {
        case .whole(let number): Double(number)
        case .real(let number): number
        }
    }

    /// The order of two numbers, exactly.
    func order(_ other: Computed) -> Int {
        switch (self, other) {
        case (.whole(let left), .whole(let right)): return left < right ? -1 : left > right ? 1 : 0
        case (.real(let left), .real(let right)): return left < right ? -1 : left > right ? 1 : 0
        case (.real, .whole): return -other.order(self)
        case (.whole(let left), .real(let right)):
            if right >= 0x1p63 { return -1 }
            if right < -0x1p63 { return 1 }
            let floor = right.rounded(.down)
            let whole = Int64(floor)
            return left < whole ? -1 : left > whole ? 1 : floor < right ? -1 : 0
        }
    }

    /// NaN becomes NULL.
    static func checked(_ number: Double) -> Computed? { number.isNaN ? nil : .real(number) }

    func with(
        _ other: Computed, _ whole: (Int64, Int64) -> (partialValue: Int64, overflow: Bool),
        _ real: (Double, Double) -> Double
    ) -> Computed? {
        if case .whole(let left) = self, case .whole(let right) = other {
            let (value, isTooLarge) = whole(left, right)
            if !isTooLarge { return .whole(value) }
        }
        return Self.checked(real(self.real, other.real))
    }

    func plus(_ other: Computed) -> Computed? { with(other, { $0.addingReportingOverflow($1) }, +) }
    func minus(_ other: Computed) -> Computed? { with(other, { $0.subtractingReportingOverflow($1) }, -) }
    func times(_ other: Computed) -> Computed? { with(other, { $0.multipliedReportingOverflow(by: $1) }, *) }

    func dividedBy(_ other: Computed) -> Computed? {
        if case .whole(let left) = self, case .whole(let right) = other {
            if right == 0 { return nil }
            let (value, isTooLarge) = left.dividedReportingOverflow(by: right)
            return isTooLarge ? .real(real / other.real) : .whole(value)
        }
        return other.real == 0 ? nil : Self.checked(real / other.real)
    }

    /// The remainder of what is left of both as whole numbers.
    func remainder(_ other: Computed) -> Computed? {
        let (left, right) = (clamped, other.clamped)
        if right == 0 { return nil }
        let value = right == -1 ? 0 : left % right
        if case .whole = self, case .whole = other { return .whole(value) }
        return .real(Double(value))
    }

    private var clamped: Int64 {
        switch self {
        case .whole(let number): number
        case .real(let number): number >= 0x1p63 ? .max : number <= -0x1p63 ? .min : Int64(number)
        }
    }
}

/// A term, and the same thing in plain Swift.
struct Computation<Value: ColumnValue>: Sendable {
    let term: Term<Measure, Value>
    let text: String
    let number: @Sendable (Measure) -> Computed?
}

/// A text, and the same thing in plain Swift.
struct TextExpression: Sendable {
    let term: Term<Measure, String?>
    let text: String
    let value: @Sendable (Measure) -> String?
}

/// A condition, and the same thing in plain Swift.
struct Meant: Sendable {
    let term: Condition<Measure>
    let text: String
    let test: @Sendable (Measure) -> Bool
}

/// Makes random expressions.
struct ExpressionGenerator {
    var random: SeededGenerator

    mutating func roll(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private mutating func constant() -> Int {
        roll(8) == 0 ? [Int.max, Int.min, Int.max - 1, 1 << 53][roll(4)] : roll(13) - 6
    }

    private var columns: Columns<Measure, Measure> { Measure.queryTerms }

    /// An expression of whole numbers, which may be missing.
    mutating func whole(_ depth: Int) -> Computation<Int?> {
        if depth == 0 || roll(4) == 0 {
            switch roll(4) {
            case 0:
                return Computation(term: columns.small.widened, text: "small") { $0.small.map { .whole(Int64($0)) } }
            case 1:
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
        if roll(2) == 0 {
            let number = constant()
            let other = Computed.whole(Int64(number))
            switch roll(7) {
            case 0: return Computation(term: left.term + number, text: "(\(left.text) + \(number))") { left.number($0)?.plus(other) }
            case 1: return Computation(term: left.term - number, text: "(\(left.text) - \(number))") { left.number($0)?.minus(other) }
            case 2: return Computation(term: left.term * number, text: "(\(left.text) * \(number))") { left.number($0)?.times(other) }
            case 3:
                let term: Term<Measure, Int?> = Optional(number) - left.term
                return Computation(term: term, text: "(\(number) - \(left.text))") { row in
                    left.number(row).flatMap { other.minus($0) }
                }
            case 4 where number != 0:
                return Computation(term: left.term / number, text: "(\(left.text) / \(number))") { left.number($0)?.dividedBy(other) }
            case 5 where number != 0:
                return Computation(term: left.term % number, text: "(\(left.text) % \(number))") { left.number($0)?.remainder(other) }
            case 6:
                return Computation(term: (left.term ?? number).optional, text: "(\(left.text) ?? \(number))") { left.number($0) ?? other }
            default:
                return Computation(term: -left.term, text: "-\(left.text)") { row in
                    left.number(row).flatMap { Computed.whole(0).minus($0) }
                }
            }
        }
        let right = whole(depth - 1)
        switch roll(6) {
        case 0: return combine(left, right, "+", left.term + right.term) { $0.plus($1) }
        case 1: return combine(left, right, "-", left.term - right.term) { $0.minus($1) }
        case 2: return combine(left, right, "*", left.term * right.term) { $0.times($1) }
        case 3: return combine(left, right, "/", left.term / right.term) { $0.dividedBy($1) }
        case 4: return combine(left, right, "%", left.term % right.term) { $0.remainder($1) }
        default:
            return Computation(term: left.term ?? right.term, text: "(\(left.text) ?? \(right.text))") { left.number($0) ?? right.number($0) }
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
        let number = [0.5, -2.0, 1e300, .infinity, 0.1][roll(5)]
        switch roll(7) {
        case 0: return combine(left, right, "+", left.term + right.term) { $0.plus($1) }
        case 1: return combine(left, right, "-", left.term - right.term) { $0.minus($1) }
        case 2: return combine(left, right, "*", left.term * right.term) { $0.times($1) }
        case 3: return combine(left, right, "/", left.term / right.term) { $0.dividedBy($1) }
        case 4: return Computation(term: left.term * number, text: "(\(left.text) * \(number))") { left.number($0)?.times(.real(number)) }
        case 5: return Computation(term: left.term / number, text: "(\(left.text) / \(number))") { left.number($0)?.dividedBy(.real(number)) }
        default: return Computation(term: left.term + number, text: "(\(left.text) + \(number))") { left.number($0)?.plus(.real(number)) }
        }
    }

    /// An expression of money, in thousandths, which may be missing.
    mutating func price(_ depth: Int) -> Computation<Decimal?> {
        if depth == 0 || roll(4) == 0 {
            if roll(2) == 0 {
                return Computation(term: columns.price.optional, text: "price") { .whole($0.price.thousandths) }
            }
            return Computation(term: columns.maybePrice, text: "maybePrice") { $0.maybePrice.map { .whole($0.thousandths) } }
        }
        let (left, right) = (price(depth - 1), price(depth - 1))
        switch roll(3) {
        case 0: return combine(left, right, "+", left.term + right.term) { $0.plus($1) }
        case 1: return combine(left, right, "-", left.term - right.term) { $0.minus($1) }
        default:
            let number = roll(9) - 4
            return Computation(term: left.term * Decimal(number), text: "(\(left.text) * \(number))") { left.number($0)?.times(.whole(Int64(number))) }
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
        switch roll(7) {
        case 0: return TextExpression(term: inner.term.lowercased(), text: "lower(\(inner.text))") { inner.value($0)?.lowercased() }
        case 1: return TextExpression(term: inner.term.uppercased(), text: "upper(\(inner.text))") { inner.value($0)?.uppercased() }
        case 2: return TextExpression(term: inner.term.prefix(count), text: "prefix(\(inner.text), \(count))") { inner.value($0).map { String($0.prefix(count)) } }
        case 3: return TextExpression(term: inner.term.suffix(count), text: "suffix(\(inner.text), \(count))") { inner.value($0).map { String($0.suffix(count)) } }
        case 4: return TextExpression(term: inner.term.dropFirst(count), text: "dropFirst(\(inner.text), \(count))") { inner.value($0).map { String($0.dropFirst(count)) } }
        case 5: return TextExpression(term: inner.term.dropLast(count), text: "dropLast(\(inner.text), \(count))") { inner.value($0).map { String($0.dropLast(count)) } }
        default:
            let other = text(depth - 1)
            return TextExpression(term: inner.term ?? other.term, text: "(\(inner.text) ?? \(other.text))") { inner.value($0) ?? other.value($0) }
        }
    }

    mutating func condition(_ depth: Int) -> Meant {
        if depth > 0, roll(3) > 0 {
            let (left, right) = (condition(depth - 1), condition(depth - 1))
            switch roll(3) {
            case 0: return Meant(term: left.term && right.term, text: "(\(left.text) && \(right.text))") { left.test($0) && right.test($0) }
            case 1: return Meant(term: left.term || right.term, text: "(\(left.text) || \(right.text))") { left.test($0) || right.test($0) }
            default: return Meant(term: !left.term, text: "!\(left.text)") { !left.test($0) }
            }
        }
        switch roll(6) {
        case 0: return compared(whole(depth), whole(depth))
        case 1: return compared(real(depth), real(depth))
        case 2: return compared(price(depth), price(depth))
        case 3:
            let number = constant()
            return compared(whole(depth), number, .whole(Int64(number)))
        case 4: return compared(text(depth), text(depth))
        default: return Meant(term: columns.isDone, text: "isDone") { $0.isDone }
        }
    }

    private mutating func compared<Value: OrderedValue>(_ left: Computation<Value>, _ right: Computation<Value>) -> Meant {
        let (kind, sign, term) = compare(left.term, right.term)
        return Meant(term: term, text: "(\(left.text) \(sign) \(right.text))") {
            Self.holds(kind, left.number($0), right.number($0)) { $0.order($1) }
        }
    }

    private mutating func compared(_ left: Computation<Int?>, _ number: Int, _ value: Computed) -> Meant {
        let kind = roll(6)
        let term =
            switch kind {
            case 0: left.term == number
            case 1: left.term != number
            case 2: left.term < number
            case 3: left.term <= number
            case 4: left.term > number
            default: left.term >= number
            }
        return Meant(term: term, text: "(\(left.text) \(kind) \(number))") {
            Self.holds(kind, left.number($0), value) { $0.order($1) }
        }
    }

    private mutating func compared(_ left: TextExpression, _ right: TextExpression) -> Meant {
        let (kind, sign, term) = compare(left.term, right.term)
        return Meant(term: term, text: "(\(left.text) \(sign) \(right.text))") {
            Self.holds(kind, left.value($0), right.value($0)) { left, right in
                ExactText(left) == ExactText(right) ? 0 : ExactText(left) < ExactText(right) ? -1 : 1
            }
        }
    }

    private mutating func compare<Value: OrderedValue>(
        _ left: Term<Measure, Value>, _ right: Term<Measure, Value>
    ) -> (kind: Int, sign: String, term: Condition<Measure>) {
        let kind = roll(6)
        return switch kind {
        case 0: (kind, "==", left == right)
        case 1: (kind, "!=", left != right)
        case 2: (kind, "<", left < right)
        case 3: (kind, "<=", left <= right)
        case 4: (kind, ">", left > right)
        default: (kind, ">=", left >= right)
        }
    }

    /// A comparison as Swift has it: nil equals nil, and is neither less nor greater than anything.
    static func holds<Value>(_ kind: Int, _ left: Value?, _ right: Value?, _ order: (Value, Value) -> Int) -> Bool {
        guard let left, let right else {
            let areBothMissing = left == nil && right == nil
            return kind == 0 ? areBothMissing : kind == 1 ? !areBothMissing : false
        }
        let order = order(left, right)
        return [order == 0, order != 0, order < 0, order <= 0, order > 0, order >= 0][kind]
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

    /// The same term, which might be missing and is not.
    var optional: Term<Root, Value?> {
        Term<Root, Value?>(catching: { () throws(RepositoryError) in
            let value = try value()
            return TermValue(
                value.term, isOptional: true, value.storageClass, scale: value.scale, column: nil,
                mayBeNaN: value.mayBeNaN, depth: value.depth)
        })
    }
}
