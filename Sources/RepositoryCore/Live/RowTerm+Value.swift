import Foundation

// A term has the value that SQLite computes. Integers have 64 bits; an operation that overflows them continues in
// floating point. NaN and a division by zero become NULL. For texts, SQLite calls the Swift functions used here.

extension RowTerm {
    func value(_ row: [SQLValue]) throws(RowFault) -> SQLValue {
        switch self {
        case .column(let column): return row[column]
        case .constant(let value): return value
        case .arithmetic(let sign, let left, let right, let hasInfinity):
            return try sign.value(left.value(row), right.value(row), hasInfinity)
        case .joined(let terms): return try Self.joined(terms, row)
        case .magnitude(let number): return try Self.magnitude(number.value(row))
        case .coalesced(let terms):
            for term in terms {
                let value = try term.value(row)
                if value != .null { return value }
            }
            return .null
        case .checked(let number): return try Self.checked(number.value(row))
        case .saturated(let number):
            let value = try number.value(row)
            guard case .real(let number) = value else { return value }
            return .real(number < 0 ? -.infinity : .infinity)
        case .real(let number): return try Self.real(number.value(row))
        case .text(let function, let text, let other):
            return try Self.text(function, text.value(row), other?.value(row) ?? .null)
        case .search(let search, let text, let pattern, let byCharacters):
            return .integer(try search.finds(pattern, in: text.value(row), byCharacters) ? 1 : 0)
        case .datePart(let part, let date, let zone): return try Self.part(part, date.value(row), zone)
        case .distance(let metric, let vector, let target):
            return try Self.distance(metric, vector.value(row), target)
        case .test(let test): return .integer(try test.passes(row) ? 1 : 0)
        }
    }

    private static func joined(_ terms: [RowTerm], _ row: [SQLValue]) throws(RowFault) -> SQLValue {
        var (joined, isNull) = ("", false)
        for term in terms {
            switch try term.value(row) {
            case .text(let text): joined += text
            case .null: isNull = true
            case .integer, .real, .blob: throw RowFault()
            }
        }
        return isNull ? .null : try held(joined)
    }

    /// Returns the text as a value, or throws if it is longer than SQLite allows.
    private static func held(_ text: String) throws(RowFault) -> SQLValue {
        guard text.utf8.count < SQLText.maxBytes else { throw RowFault() }
        return .text(text)
    }

    private static func magnitude(_ value: SQLValue) throws(RowFault) -> SQLValue {
        switch value {
        case .null: return .null
        case .integer(.min), .text, .blob: throw RowFault()
        case .integer(let number): return .integer(abs(number))
        case .real(let number): return .real(abs(number))
        }
    }

    private static func checked(_ value: SQLValue) throws(RowFault) -> SQLValue {
        if case .real = value { throw RowFault() }
        return value
    }

    private static func real(_ value: SQLValue) throws(RowFault) -> SQLValue {
        switch value {
        case .null, .real: value
        case .integer(let number): .real(Double(number))
        case .text, .blob: throw RowFault()
        }
    }

    private static func text(
        _ function: TextFunction, _ value: SQLValue, _ other: SQLValue
    ) throws(RowFault) -> SQLValue {
        guard value != .null else { return .null }
        guard case .text(let text) = value else { throw RowFault() }
        switch (function.argument, other) {
        case (.none, _): return try held(function.value(of: text, 0))
        case (.count, .integer(let count)): return try held(function.value(of: text, Int(count)))
        case (.text, .null): return .null
        case (.text, .text(let other)): return .integer(function.holds(text, other) ? 1 : 0)
        default: throw RowFault()
        }
    }

    private static func held(_ value: SQLValue) throws(RowFault) -> SQLValue {
        if case .text(let text) = value { try held(text) } else { value }
    }

    private static func distance(
        _ metric: VectorMetric, _ value: SQLValue, _ target: [UInt8]
    ) throws(RowFault) -> SQLValue {
        if value == .null { return .null }
        guard case .blob(let vector) = value,
            let distance = vector.withUnsafeBytes({ vector in
                target.withUnsafeBytes { metric.distance(of: vector, from: $0) }
            })
        else { throw RowFault() }
        return .real(distance)
    }

    private static func part(
        _ part: DatePart, _ value: SQLValue, _ zone: TimeZone?
    ) throws(RowFault) -> SQLValue {
        switch value {
        case .null: .null
        case .real(let seconds): part.value(of: seconds, in: zone).map { .integer(Int64($0)) } ?? .null
        case .integer, .text, .blob: throw RowFault()
        }
    }
}

extension Arithmetic {
    fileprivate func value(
        _ left: SQLValue, _ right: SQLValue, _ hasInfinity: Bool
    ) throws(RowFault) -> SQLValue {
        switch (left, right) {
        case (.null, _), (_, .null): return .null
        case (.integer(let left), .integer(let right)):
            if isDivision && right == 0 { return .null }
            let (result, isTooLarge) = integer(left, right)
            // On overflow, SQLite continues in floating point.
            return isTooLarge ? try real(Double(left), Double(right)) : .integer(result)
        case (.real(let left), .real(let right)) where hasInfinity: return try real(left, right)
        case (.integer(let left), .real(let right)) where hasInfinity: return try real(Double(left), right)
        case (.real(let left), .integer(let right)) where hasInfinity: return try real(left, Double(right))
        default: throw RowFault()
        }
    }

    private var isDivision: Bool { self == .dividedBy || self == .remainder }

    private func integer(_ left: Int64, _ right: Int64) -> (Int64, Bool) {
        switch self {
        case .plus: left.addingReportingOverflow(right)
        case .minus: left.subtractingReportingOverflow(right)
        case .times: left.multipliedReportingOverflow(by: right)
        case .dividedBy: left.dividedReportingOverflow(by: right)
        // `Int64.min % -1` would trap.
        case .remainder: (right == -1 ? 0 : left % right, false)
        }
    }

    private func real(_ left: Double, _ right: Double) throws(RowFault) -> SQLValue {
        let number: Double
        switch self {
        case .plus: number = left + right
        case .minus: number = left - right
        case .times: number = left * right
        case .dividedBy where right == 0: return .null
        case .dividedBy: number = left / right
        // For a remainder, SQLite first converts both operands to integers. The store must evaluate it.
        case .remainder: throw RowFault()
        }
        return number.isNaN ? .null : .real(number)
    }
}

extension TermComparison {
    func holds(_ left: SQLValue, _ right: SQLValue) throws(RowFault) -> Bool {
        if left == .null || right == .null {
            return switch self {
            case .plain: false
            case .same: left == right
            case .notSame: left != right
            case .notEqualOrNull: true
            }
        }
        let order = try Self.order(left, right)
        return switch self {
        case .plain(.equal), .same: order == 0
        case .plain(.notEqual), .notSame, .notEqualOrNull: order != 0
        case .plain(.less): order < 0
        case .plain(.lessOrEqual): order <= 0
        case .plain(.greater): order > 0
        case .plain(.greaterOrEqual): order >= 0
        }
    }

    /// Compares two values of one storage class, or an integer with an infinity (an integer beyond 64 bits).
    private static func order(_ left: SQLValue, _ right: SQLValue) throws(RowFault) -> Int {
        switch (left, right) {
        case (.integer, .integer), (.real, .real), (.text, .text), (.blob, .blob): return left.order(right)
        case (.real(let number), .integer) where number.isInfinite: return number < 0 ? -1 : 1
        case (.integer, .real(let number)) where number.isInfinite: return number < 0 ? 1 : -1
        default: throw RowFault()
        }
    }
}
