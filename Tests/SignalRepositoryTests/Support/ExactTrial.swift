import Foundation
import SignalsTesting

@testable import RepositoryCore
@testable import SignalRepository

/// Runs random expressions in every part of a query that accepts them.
struct ExactTrial {
    let store: WriteTransaction
    let rows: [Amount]
    var generator: ExactGenerator
    var failures: [String] = []
    /// The number of values that were computed, and of those that were too large.
    var (exact, overflows) = (0, 0)

    init(store: WriteTransaction, rows: [Amount], seed: Int) {
        (self.store, self.rows) = (store, rows)
        generator = ExactGenerator(random: SeededGenerator(seed: UInt64(seed + 400)))
    }

    mutating func run(_ round: Int) throws {
        let depth = 1 + round % 3
        if round.isMultiple(of: 2) {
            try run(round / 2, generator.whole(depth), generator.whole(1), \.result, 0)
        } else {
            try run(round / 2, generator.decimal(min(depth, 2)), generator.decimal(1), \.price, 9)
        }
    }

    private mutating func run<Value: ArithmeticValue & ExactValue>(
        _ round: Int, _ one: ExactExpression<Value?>, _ other: ExactExpression<Value?>,
        _ result: KeyPath<Amount, Value?> & Sendable, _ places: Int
    ) throws where Value.Plain == Value {
        let row = rows[generator.roll(rows.count)]
        switch round % 5 {
        case 0: try selected(one, row)
        case 1: try assigned(one, row, result, places)
        case 2: try compared(one, other, row)
        case 3: try sorted(one)
        default: try grouped(one)
        }
    }

    /// Compares an expression's result with the exact one.
    private mutating func check<Output>(
        _ text: String, _ exacts: [Exact], _ body: () throws -> Output, _ isRight: (Output) -> Bool
    ) {
        do {
            let output = try body()
            exact += 1
            if exacts.contains(where: \.isTooLarge) {
                failures.append("\(text) is too large, and came to \(output)")
            } else if !isRight(output) {
                failures.append("\(text) came to \(output): \(exacts)")
            }
        } catch {
            overflows += 1
            guard case RepositoryError.overflow = error, exacts.contains(where: \.mayFail) else {
                return failures.append("\(text) failed: \(error)")
            }
        }
    }

    private mutating func selected<Value: ArithmeticValue & ExactValue>(
        _ one: ExactExpression<Value?>, _ row: Amount
    ) throws {
        let exact = one.exact(row)
        let store = store
        check("select \(one.text) of \(row)", [exact]) {
            try store.fetch(Amount.where { $0.id == row.id }.select { _ in one.term })
        } _: {
            $0 == [exact.digits.map { Value.value(of: $0, exact.scale) }]
        }
    }

    private mutating func assigned<Value: ArithmeticValue & ExactValue>(
        _ one: ExactExpression<Value?>, _ row: Amount, _ result: KeyPath<Amount, Value?> & Sendable, _ places: Int
    ) throws where Value.Plain == Value {
        guard one.scale <= places else { return }
        let exact = one.exact(row).scaled(to: places)
        let store = store
        check("set \(one.text) of \(row)", [exact]) {
            try store.update(Amount.self, id: row.id, set: [.set(result, to: one.term)])[keyPath: result]
        } _: {
            $0 == exact.digits.map { Value.value(of: $0, places) }
        }
        let stored = try store.read(Amount.self, id: row.id)
        if exact.isTooLarge, stored != row { failures.append("\(one.text) was refused, and stored \(stored)") }
        try store.update(row)
    }

    private mutating func compared<Value: ArithmeticValue & ExactValue>(
        _ one: ExactExpression<Value?>, _ other: ExactExpression<Value?>, _ row: Amount
    ) throws where Value.Plain == Value {
        let kind = generator.roll(6)
        let left = one.exact(row)
        var right = other.exact(row)
        let terms = (one.term, other.term)
        var condition: Condition<Amount>
        if generator.roll(2) == 0 {
            right = Value.isScaled ? generator.constant() : .of(generator.pick())
            let number = Value.value(of: right.digits ?? 0, right.scale)
            // A comparison with a number that the column cannot hold does not compute the left side.
            let isNone = right.scale > left.scale || right.scaled(to: left.scale).isTooLarge
            if isNone, left.isTooLarge { return }
            switch kind {
            case 0: condition = terms.0 == number
            case 1: condition = terms.0 != number
            case 2: condition = terms.0 < number
            case 3: condition = terms.0 <= number
            case 4: condition = terms.0 > number
            default: condition = terms.0 >= number
            }
        } else {
            switch kind {
            case 0: condition = terms.0 == terms.1
            case 1: condition = terms.0 != terms.1
            case 2: condition = terms.0 < terms.1
            case 3: condition = terms.0 <= terms.1
            case 4: condition = terms.0 > terms.1
            default: condition = terms.0 >= terms.1
            }
        }
        let isNegated = generator.roll(3) == 0
        if isNegated { condition = !condition }
        let holds = ExpressionGenerator.holds(kind, left.digits == nil ? nil : left, right.digits == nil ? nil : right)
        {
            $0.order($1) ?? 0
        }
        let (store, second) = (store, right)
        check("\(one.text) \(kind) \(other.text) or \(second) of \(row)", [left, second]) {
            try store.fetch(Amount.where { $0.id == row.id }.where(condition).count)
        } _: {
            ($0 == 1) == (holds != isNegated)
        }
    }

    private mutating func sorted<Value: ArithmeticValue & ExactValue>(_ one: ExactExpression<Value?>) throws {
        let exacts = rows.map(one.exact)
        let order = rows.indices.sorted { left, right in
            switch (exacts[left].digits, exacts[right].digits) {
            case (nil, nil): return left < right
            case (nil, _): return true
            case (_, nil): return false
            case (let one?, let other?): return one == other ? left < right : one < other
            }
        }
        let store = store
        check("sort by \(one.text)", exacts) {
            try store.fetch(Amount.all.sorted { _ in one.term }.select { $0.id })
        } _: {
            $0 == order
        }
    }

    private mutating func grouped<Value: ArithmeticValue & ExactValue>(_ one: ExactExpression<Value?>) throws {
        let exacts = rows.map(one.exact)
        let groups = Dictionary(grouping: rows.indices) { exacts[$0].digits }
        let query = Amount.all.grouped { _ in one.term }.sorted { $0.id.min() }.aggregate { $0.id.count() }
        let keys = groups.sorted { ($0.value.first ?? 0) < ($1.value.first ?? 0) }
        let expected: [Value?] = keys.map { group in group.key.map { Value.value(of: $0, one.scale) } }
        let store = store
        check("group by \(one.text)", exacts) {
            try store.fetch(query)
        } _: { found in
            found.map(\.1) == keys.map(\.value.count) && found.map(\.0) == expected
        }
    }
}

/// A number that can be made from its digits.
protocol ExactValue: ColumnValue, Equatable {
    static func value(of digits: Int64, _ scale: Int) -> Self
}

extension Int: ExactValue {
    static func value(of digits: Int64, _ scale: Int) -> Int { Int(digits) }
}

extension Decimal: ExactValue {
    static func value(of digits: Int64, _ scale: Int) -> Decimal { ScaledDecimal.decimal(digits, scale: scale) }
}
