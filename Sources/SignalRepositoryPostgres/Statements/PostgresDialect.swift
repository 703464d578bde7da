import struct Foundation.Locale
import struct Foundation.TimeZone
import RepositoryCore

struct PostgresDialect: Dialect {
    /// Whether the SQL is part of a declaration, which cannot have parameters.
    var isDeclaration = false

    var same: StaticString { " IS NOT DISTINCT FROM " }
    var notSame: StaticString { " IS DISTINCT FROM " }
    var real: StaticString { "double precision" }

    // In an upsert into a table named "excluded", the name would mean the table, not the rejected row.
    func canUseExcluded(in table: String) -> Bool { table != "excluded" }

    // No index supports IS NOT DISTINCT FROM, so a comparison for equality uses `=`.
    func condition(_ column: StoredColumn, isSame: Bool, as value: SQLValue) -> SQLText {
        switch (value, isSame) {
        case (.null, true): "\(column) IS NULL"
        case (.null, false): "\(column) IS NOT NULL"
        case (_, true): "\(column) = \(bind: value)"
        case (_, false): "\(column)\(literal: notSame)\(bind: value)"
        }
    }

    func value(of test: StoredTest) throws(RepositoryError) -> SQLText {
        try "CASE WHEN \(condition(test)) THEN 1::bigint ELSE 0::bigint END"
    }

    func condition(truthOf value: StoredTerm) throws(RepositoryError) -> SQLText {
        switch value {
        case .children(let children) where !children.areCounted: try term(value)
        case .operation(.search(let search), let arguments): try condition(search, arguments)
        default: try "(\(term(value)) <> 0)"
        }
    }
}

// Computed values.
extension PostgresDialect {
    func result(
        _ operation: Operation, of arguments: [StoredTerm], where test: StoredTest?
    ) throws(RepositoryError) -> SQLText {
        switch operation {
        case .arithmetic(let operation): try chain(arguments, operation)
        case .joined: try chain(arguments, " || ")
        case .negated: try call("-", arguments)
        case .magnitude: try call("abs", arguments)
        case .coalesced: try call("coalesce", arguments)
        case .bounded: try bounded(arguments)
        case .saturated: try unlimited(arguments[0])
        case .text:
            throw .misuse(
                detail: "PostgreSQL counts code points and knows other letters than Swift, so it cannot compute texts "
                    + "as Swift does")
        case .search(let search): try condition(search, arguments)
        case .datePart: try datePart(arguments)
        case .distance:
            throw .misuse(
                detail: "a server cannot compute the distance of vectors: read the vectors, and compare them in the "
                    + "program")
        case .own(let name), .collated(let name):
            throw .misuse(detail: "a server has no custom functions or collations, such as \(name)")
        case .localized(let locale): try "(\(term(arguments[0])) COLLATE \(name: Self.collation(of: locale)))"
        case .count where arguments.isEmpty: try "count(*)\(filter(test))"
        case .count: try "\(call("count", arguments))\(filter(test))"
        // PostgreSQL's sum of integers is a `numeric`, and a division of it would give a fraction.
        case .sum: try "CAST(\(call("sum", arguments))\(filter(test)) AS bigint)"
        // A column of a view may be a `numeric`, whose sum may have trailing zeros after the decimal point.
        case .exactSum: try "CAST(trim_scale(CAST(\(call("sum", arguments))\(filter(test)) AS numeric)) AS text)"
        case .totalState: throw .misuse(detail: "a server has no exact sums of floating-point numbers")
        case .total: try "NULLIF(coalesce(\(call("sum", arguments))\(filter(test)), 0), 'NaN')"
        // Floating-point numbers are divided, because a quotient of `numeric`s would be rounded twice.
        case .average:
            try """
            (CAST(\(call("sum", arguments))\(filter(test)) AS double precision) / \
            NULLIF(\(call("count", arguments))\(filter(test)), 0))
            """
        case .mean: try "NULLIF(CAST(\(call("avg", arguments))\(filter(test)) AS double precision), 'NaN')"
        case .minimum where arguments[0].holdsID:
            try "CAST(min(CAST(\(term(arguments[0])) AS text) COLLATE \"C\")\(filter(test)) AS uuid)"
        case .maximum where arguments[0].holdsID:
            try "CAST(max(CAST(\(term(arguments[0])) AS text) COLLATE \"C\")\(filter(test)) AS uuid)"
        case .minimum: try "\(call("min", arguments))\(filter(test))"
        case .maximum: try "\(call("max", arguments))\(filter(test))"
        }
    }

    private static func collation(of locale: String) -> String {
        let identifier = Locale(identifier: locale).identifier(.bcp47)
        return "\(identifier.isEmpty ? "und" : identifier)-x-icu"
    }

    // In PostgreSQL, NaN equals itself and is greater than any other number. In SQLite, it is NULL.
    func unlessNaN(_ number: StoredTerm) throws(RepositoryError) -> SQLText { try "NULLIF(\(term(number)), 'NaN')" }

    /// Returns the SQL of a number for a comparison.
    ///
    /// A product is computed as a `numeric`, because a product of 64-bit integers fails if it exceeds 64 bits.
    private func unlimited(_ number: StoredTerm) throws(RepositoryError) -> SQLText {
        guard case .operation(.arithmetic(.times), let factors) = number else { return try term(number) }
        return try "(CAST(\(term(factors[0])) AS numeric) * \(term(factors[1])))"
    }

    /// Returns the SQL of a sum, difference, product, quotient or remainder.
    ///
    /// A division by zero is NULL, as in SQLite. A constant divisor is never zero.
    private func chain(_ numbers: [StoredTerm], _ operation: Arithmetic) throws(RepositoryError) -> SQLText {
        switch (operation, numbers[1]) {
        case (.plus, _), (.minus, _), (.times, _), (_, .constant): try chain(numbers, operation.sign)
        default: try "(\(term(numbers[0]))\(literal: operation.sign)NULLIF(\(term(numbers[1])), 0))"
        }
    }

    /// Returns the SQL of a number; with two more arguments, the statement fails unless the number is in their range.
    private func bounded(_ numbers: [StoredTerm]) throws(RepositoryError) -> SQLText {
        let number = try term(numbers[0])
        guard numbers.count == 3 else { return number }
        // Casting a text that is not a number raises its own error code at run time. If the text were a constant, the
        // cast would already fail during preparation.
        return try """
        CASE WHEN \(number) NOT BETWEEN \(term(numbers[1])) AND \(term(numbers[2])) \
        THEN CAST('out of the range of its type: ' || \(number) AS bigint) ELSE \(number) END
        """
    }

    /// Returns a condition that searches a text for another text, and ignores the case of ASCII letters.
    private func condition(_ search: TextSearch, _ arguments: [StoredTerm]) throws(RepositoryError) -> SQLText {
        let text: SQLText = try "lower(\(term(arguments[0])) COLLATE \"C\")"
        var pattern = arguments[1]
        if case .constant(.blob(let bytes)) = pattern {
            pattern = .constant(.text(String(decoding: bytes, as: UTF8.self)))
        }
        return switch search {
        case .contains: try "position(\(term(pattern)) IN \(text)) > 0"
        case .prefix: try "starts_with(\(text), \(term(pattern)))"
        case .suffix: try "right(\(text), char_length(\(term(pattern)))) = \(term(pattern))"
        }
    }

    /// Returns the SQL of a part of a date, which is NULL if the date is outside PostgreSQL's calendar.
    private func datePart(_ arguments: [StoredTerm]) throws(RepositoryError) -> SQLText {
        guard case .constant(.integer(let number)) = arguments[1], let part = DatePart(rawValue: Int(number)),
            case .constant(.text(let zone)) = arguments[2]
        else { throw .misuse(detail: "the part of a date, or its time zone, is unknown") }
        let (date, time) = (try term(arguments[0]), try time(arguments[0], in: zone))
        // PostgreSQL has no year 0: the year before 1 is 1 BC, which it numbers -1.
        let shift: SQLText = part == .year ? " + CASE WHEN EXTRACT(year FROM \(time)) < 0 THEN 1 ELSE 0 END" : ""
        // The range is from the first day of the calendar, in 4714 BC, to the last, in 294276, less a day for the time
        // zone.
        return """
            CASE WHEN \(date) BETWEEN -211852022400 AND 9223371331200 - 978307200 - 86400 \
            THEN CAST(\(literal: part.field)\(time))\(shift) AS bigint) END
            """
    }

    private func time(_ date: StoredTerm, in zone: String) throws(RepositoryError) -> SQLText {
        let time: SQLText = try "to_timestamp(floor(\(term(date))) + 978307200) AT TIME ZONE "
        // PostgreSQL reads GMT+1 as POSIX does: one hour west of Greenwich.
        guard zone.hasPrefix("GMT"), let seconds = TimeZone(identifier: zone)?.secondsFromGMT() else {
            return "\(time)\(bind: .text(zone.isEmpty ? "UTC" : zone))"
        }
        return "\(time)make_interval(secs => \(bind: .integer(Int64(seconds))))"
    }
}

extension StoredTerm {
    /// Whether the values are ids, for which PostgreSQL has no `min` and `max` before version 18.
    fileprivate var holdsID: Bool {
        switch self {
        case .column(let column): column.holdsID == true
        case .operation(.coalesced, let terms): terms.contains(where: \.holdsID)
        default: false
        }
    }
}

extension DatePart {
    fileprivate var field: StaticString {
        switch self {
        case .year: "EXTRACT(year FROM "
        case .weekday: "1 + EXTRACT(dow FROM "
        case .month: "EXTRACT(month FROM "
        case .day: "EXTRACT(day FROM "
        case .hour: "EXTRACT(hour FROM "
        }
    }
}

// The order of rows.
extension PostgresDialect {
    var hasRowOrder: Bool { false }

    // PostgreSQL has no row numbers, and a list in the order of the keys needs none.
    func rowNumber(of table: String?) -> SQLText { "0::bigint" }

    func order(of table: SourceTable) throws(RepositoryError) -> [StoredTerm] { try table.keyColumns }

    func direction(of key: StoredTerm, isDescending: Bool) -> SQLText {
        let isOptional = if case .column(let column) = key { column.isOptional } else { true }
        return switch (isDescending, isOptional) {
        case (false, false): ""
        case (false, true): " NULLS FIRST"
        case (true, false): " DESC"
        case (true, true): " DESC NULLS LAST"
        }
    }

    func limit(_ limit: Int?, offset: Int?) -> SQLText {
        var sql: SQLText = ""
        if let limit { sql += " LIMIT \(bind: .integer(Int64(limit)))" }
        if let offset { sql += " OFFSET \(bind: .integer(Int64(offset)))" }
        return sql
    }
}

// Queries about statements and stores.
extension PostgresDialect {
    func plan(of statement: SQLText) -> SQLText { "EXPLAIN \(statement)" }

    func steps(ofPlan statement: any StoreStatement) throws(RepositoryError) -> [String] {
        try statement.all { row throws(RepositoryError) in
            guard case .text(let step) = try row.value(at: 0) else { return "" }
            return step
        }
    }

    var hasIdentity: SQLText { "SELECT 1 WHERE to_regclass('signal_repository_identity') IS NOT NULL" }

    // The table marks a schema of this library, and holds the version of its layout.
    func createIdentity() -> SQLText {
        """
        CREATE TABLE signal_repository_identity \
        (identity text COLLATE "C" NOT NULL, version bigint NOT NULL DEFAULT 1)
        """
    }
}
