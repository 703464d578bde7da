import Foundation

@testable import RepositoryCore
@testable import SignalRepository

// Random conditions that are made of expressions.
extension ExpressionGenerator {
    mutating func condition(_ depth: Int) -> Meant {
        if depth > 0, roll(3) > 0 {
            let (left, right) = (condition(depth - 1), condition(depth - 1))
            switch roll(3) {
            case 0:
                return Meant(term: left.term && right.term, text: "(\(left.text) && \(right.text))") {
                    left.test($0) && right.test($0)
                }
            case 1:
                return Meant(term: left.term || right.term, text: "(\(left.text) || \(right.text))") {
                    left.test($0) || right.test($0)
                }
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

    private mutating func compared<Value: OrderedValue>(_ left: Computation<Value>, _ right: Computation<Value>)
        -> Meant
    {
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

    /// Whether a comparison holds in Swift: nil equals nil, and is neither less nor greater than anything.
    static func holds<Value>(_ kind: Int, _ left: Value?, _ right: Value?, _ order: (Value, Value) -> Int) -> Bool {
        guard let left, let right else {
            let areBothMissing = left == nil && right == nil
            return kind == 0 ? areBothMissing : kind == 1 ? !areBothMissing : false
        }
        let order = order(left, right)
        return [order == 0, order != 0, order < 0, order <= 0, order > 0, order >= 0][kind]
    }
}
