import Foundation
import SignalsTesting

@testable import RepositoryCore
@testable import SignalRepository

/// A term, and the same computation done exactly.
struct ExactExpression<Value: ArithmeticValue>: Sendable {
    let term: Term<Amount, Value>
    let text: String
    let scale: Int
    let exact: @Sendable (Amount) -> Exact
}

/// Makes random expressions of numbers that may be missing.
struct ExactGenerator {
    var random: SeededGenerator

    mutating func roll(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
    mutating func pick() -> Int64 { Amount.zoo[roll(Amount.zoo.count)] }

    /// An expression of whole numbers.
    mutating func whole(_ depth: Int) -> ExactExpression<Int?> {
        guard depth > 0 else { return wholeColumn() }
        let left = whole(depth - 1)
        if roll(6) == 0 { return chain(left) }
        if roll(2) == 0 {
            let right = roll(3) == 0 ? wholeColumn() : whole(depth - 1)
            switch roll(6) {
            case 0: return of(left, "+", right, left.term + right.term) { $0.plus($1) }
            case 1: return of(left, "-", right, left.term - right.term) { $0.minus($1) }
            case 2: return of(left, "*", right, left.term * right.term) { $0.times($1) }
            case 3: return of(left, "/", right, left.term / right.term) { $0.dividedBy($1) }
            case 4: return of(left, "%", right, left.term % right.term) { $0.remainder($1) }
            default: return of(left, "??", right, left.term ?? right.term) { $0.or($1) }
            }
        }
        let number = Int(pick())
        let right = ExactExpression<Int?>(term: left.term, text: "\(number)", scale: 0) { _ in .of(Int64(number)) }
        switch roll(8) {
        case 0: return of(left, "+", right, left.term + number) { $0.plus($1) }
        case 1: return of(left, "-", right, left.term - number) { $0.minus($1) }
        case 2: return of(left, "*", right, left.term * number) { $0.times($1) }
        case 3: return of(right, "-", left, Optional(number) - left.term) { $0.minus($1) }
        case 4 where number != 0: return of(left, "/", right, left.term / number) { $0.dividedBy($1) }
        case 5 where number != 0: return of(left, "%", right, left.term % number) { $0.remainder($1) }
        case 6: return of(left, "magnitude", right, left.term.magnitude) { left, _ in left.magnitude }
        default: return of(left, "negated", right, -left.term) { left, _ in left.negated }
        }
    }

    /// A chain of nested sums, differences and products, too deep for SQLite's parser if spelled link by link.
    private mutating func chain(_ first: ExactExpression<Int?>) -> ExactExpression<Int?> {
        var left = first
        for _ in 0..<(2 + roll(12)) {
            let number = roll(3) == 0 ? Int(pick()) : roll(5) - 2
            let constant = ExactExpression<Int?>(term: left.term, text: "\(number)", scale: 0) { _ in
                .of(Int64(number))
            }
            let column = wholeColumn()
            switch roll(7) {
            case 0: left = of(left, "+", constant, left.term + number) { $0.plus($1) }
            case 1: left = of(left, "-", constant, left.term - number) { $0.minus($1) }
            case 2: left = of(left, "*", constant, left.term * number) { $0.times($1) }
            case 3: left = of(constant, "+", left, Optional(number) + left.term) { $0.plus($1) }
            case 4: left = of(left, "+", column, left.term + column.term) { $0.plus($1) }
            case 5: left = of(column, "+", left, column.term + left.term) { $0.plus($1) }
            default: left = of(left, "-", column, left.term - column.term) { $0.minus($1) }
            }
        }
        return left
    }

    private mutating func wholeColumn() -> ExactExpression<Int?> {
        let columns = Amount.queryTerms
        switch roll(6) {
        case 0: return ExactExpression(term: columns.other, text: "other", scale: 0) { .of($0.other.map { Int64($0) }) }
        case 1: return ExactExpression(term: columns.byte.widened, text: "byte", scale: 0) { .of(Int64($0.byte)) }
        case 2: return ExactExpression(term: columns.medium.widened, text: "medium", scale: 0) { .of(Int64($0.medium)) }
        case 3:
            return ExactExpression(term: columns.unsigned.widened, text: "unsigned", scale: 0) {
                .of(Int64($0.unsigned))
            }
        default: return ExactExpression(term: columns.whole.optional, text: "whole", scale: 0) { .of(Int64($0.whole)) }
        }
    }

    /// An expression of decimal numbers.
    mutating func decimal(_ depth: Int) -> ExactExpression<Decimal?> {
        guard depth > 0 else { return decimalColumn() }
        let left = decimal(depth - 1)
        if roll(3) > 0 {
            let right = decimal(depth - 1)
            switch roll(4) {
            case 0: return of(left, "+", right, left.term + right.term) { $0.plus($1) }
            case 1: return of(left, "-", right, left.term - right.term) { $0.minus($1) }
            case 2: return of(left, "*", right, left.term * right.term, left.scale + right.scale) { $0.times($1) }
            default: return of(left, "??", right, left.term ?? right.term) { $0.or($1) }
            }
        }
        let right = constant()
        let number = Optional(ScaledDecimal.decimal(right.digits ?? 0, scale: right.scale))
        let other = ExactExpression<Decimal?>(term: left.term, text: "\(number ?? 0)", scale: right.scale) { _ in right
        }
        switch roll(4) {
        case 0: return of(left, "+", other, left.term + number) { $0.plus($1) }
        case 1: return of(other, "-", left, number - left.term) { $0.minus($1) }
        case 2: return of(left, "*", other, left.term * number, left.scale + right.scale) { $0.times($1) }
        default: return of(left, "negated", left, -left.term) { left, _ in left.negated }
        }
    }

    /// A number with no more places than it needs, like a constant.
    mutating func constant() -> Exact {
        var (digits, scale) = (roll(3) == 0 ? Int64(roll(100_000)) : pick() / 10_000, roll(4))
        while scale > 0, digits.isMultiple(of: 10) { (digits, scale) = (digits / 10, scale - 1) }
        return .of(digits, scale)
    }

    private mutating func decimalColumn() -> ExactExpression<Decimal?> {
        let columns = Amount.queryTerms
        switch roll(3) {
        case 0:
            return ExactExpression(term: columns.units.optional, text: "units", scale: 0) {
                .of(Amount.digits($0.units, 0))
            }
        case 1:
            return ExactExpression(term: columns.cents.optional, text: "cents", scale: 2) {
                .of(Amount.digits($0.cents, 2), 2)
            }
        default:
            return ExactExpression(term: columns.fine, text: "fine", scale: 4) { .of(Amount.digits($0.fine, 4), 4) }
        }
    }

    private func of<Value>(
        _ left: ExactExpression<Value>, _ sign: String, _ right: ExactExpression<Value>, _ term: Term<Amount, Value>,
        _ scale: Int? = nil, _ compute: @escaping @Sendable (Exact, Exact) -> Exact
    ) -> ExactExpression<Value> {
        ExactExpression(
            term: term, text: "(\(left.text) \(sign) \(right.text))", scale: scale ?? max(left.scale, right.scale)
        ) { compute(left.exact($0), right.exact($0)) }
    }
}
