import struct Foundation.Locale
import struct Foundation.TimeZone
import SignalRepository

/// SQL as PostgreSQL reads it.
struct PostgresDialect: Dialect {
    /// Whether what is spelled stands in a declaration, where nothing can be bound.
    var isDeclaration = false

    var same: StaticString { " IS NOT DISTINCT FROM " }
    var notSame: StaticString { " IS DISTINCT FROM " }
    var real: StaticString { "double precision" }

    // A table of that name is meant, and not what could not be inserted.
    func canUseExcluded(in table: String) -> Bool { table != "excluded" }

    // No index answers IS NOT DISTINCT FROM.
    func append(_ column: StoredColumn, isSame: Bool, as value: SQLValue, to sql: inout SQLText) {
        sql.append(column: column)
        switch (value, isSame) {
        case (.null, true): sql.append(" IS NULL")
        case (.null, false): sql.append(" IS NOT NULL")
        case (_, true):
            sql.append(" = ")
            sql.bind(value)
        case (_, false):
            sql.append(notSame)
            sql.bind(value)
        }
    }

    func append(valueOf test: StoredTest, to sql: inout SQLText) throws(RepositoryError) {
        sql.append("CASE WHEN ")
        try append(test, to: &sql)
        sql.append(" THEN 1::bigint ELSE 0::bigint END")
    }

    func append(truthOf term: StoredTerm, to sql: inout SQLText) throws(RepositoryError) {
        switch term {
        case .children(let children) where !children.areCounted: return try append(term, to: &sql)
        case .operation(.search(let search), let arguments): return try append(search, arguments, to: &sql)
        default: break
        }
        sql.append("(")
        try append(term, to: &sql)
        sql.append(" <> 0)")
    }
}

// What is computed.
extension PostgresDialect {
    func append(
        _ operation: Operation, of arguments: [StoredTerm], where test: StoredTest?, to sql: inout SQLText
    ) throws(RepositoryError) {
        switch operation {
        case .arithmetic(.plus): try append(arguments, separator: " + ", to: &sql)
        case .arithmetic(.minus): try append(arguments, separator: " - ", to: &sql)
        case .arithmetic(.times): try append(arguments, separator: " * ", to: &sql)
        case .arithmetic(.dividedBy): try append(arguments, dividedBy: " / ", to: &sql)
        case .arithmetic(.remainder): try append(arguments, dividedBy: " % ", to: &sql)
        case .joined: try append(arguments, separator: " || ", to: &sql)
        case .negated: try append("-", of: arguments, to: &sql)
        case .magnitude: try append("abs", of: arguments, to: &sql)
        case .coalesced: try append("coalesce", of: arguments, to: &sql)
        case .bounded: try append(bounded: arguments, to: &sql)
        case .saturated: try append(unlimited: arguments[0], to: &sql)
        case .text:
            throw .misuse(
                detail: "PostgreSQL counts code points and knows other letters than Swift: a text cannot be computed "
                    + "there as Swift computes it")
        case .search(let search): try append(search, arguments, to: &sql)
        case .datePart: try append(datePart: arguments, to: &sql)
        case .own(let name), .collated(let name):
            throw .misuse(detail: "a server has no functions or collations of the program's own, such as \(name)")
        case .localized(let locale):
            sql.append("(")
            try append(arguments[0], to: &sql)
            sql.append(" COLLATE ")
            let identifier = Locale(identifier: locale).identifier(.bcp47)
            sql.append(name: "\(identifier.isEmpty ? "und" : identifier)-x-icu")
            sql.append(")")
        case .count: try append(arguments.isEmpty ? "count(*" : "count(", arguments, ")", where: test, to: &sql)
        case .sum: try append("sum(", arguments, ")", where: test, to: &sql)
        case .total:
            try append("NULLIF(coalesce(sum(", arguments, ")", where: test, after: ", 0), 'NaN')", to: &sql)
        case .average:
            try append(
                "NULLIF(CAST(avg(", arguments, ")", where: test, after: " AS double precision), 'NaN')", to: &sql)
        case .minimum where arguments[0].holdsID:
            try append(
                "CAST(min(CAST(", arguments, " AS text) COLLATE \"C\")", where: test, after: " AS uuid)", to: &sql)
        case .maximum where arguments[0].holdsID:
            try append(
                "CAST(max(CAST(", arguments, " AS text) COLLATE \"C\")", where: test, after: " AS uuid)", to: &sql)
        case .minimum: try append("min(", arguments, ")", where: test, to: &sql)
        case .maximum: try append("max(", arguments, ")", where: test, to: &sql)
        }
    }

    // What is not a number equals itself in PostgreSQL, and is greater than any other.
    func append(unlessNaN number: StoredTerm, to sql: inout SQLText) throws(RepositoryError) {
        sql.append("NULLIF(")
        try append(number, to: &sql)
        sql.append(", 'NaN')")
    }

    /// Writes a number with more decimal places, as one of any size: PostgreSQL itself fails where a number is too
    /// large for 64 bits.
    private func append(unlimited number: StoredTerm, to sql: inout SQLText) throws(RepositoryError) {
        guard case .operation(.arithmetic(.times), let factors) = number else { return try append(number, to: &sql) }
        sql.append("(CAST(")
        try append(factors[0], to: &sql)
        sql.append(" AS numeric) * ")
        try append(factors[1], to: &sql)
        sql.append(")")
    }

    /// Writes a function of many rows.
    private func append(
        _ function: StaticString, _ arguments: [StoredTerm], _ end: StaticString, where test: StoredTest?,
        after: StaticString = "", to sql: inout SQLText
    ) throws(RepositoryError) {
        sql.append(function)
        for (index, argument) in arguments.enumerated() {
            if index > 0 { sql.append(", ") }
            try append(argument, to: &sql)
        }
        sql.append(end)
        try append(filter: test, to: &sql)
        sql.append(after)
    }

    /// Writes a division; by zero it is NULL, as in SQLite, which a constant never is.
    private func append(
        _ numbers: [StoredTerm], dividedBy sign: StaticString, to sql: inout SQLText
    ) throws(RepositoryError) {
        if case .constant = numbers[1] { return try append(numbers, separator: sign, to: &sql) }
        sql.append("(")
        try append(numbers[0], to: &sql)
        sql.append(sign)
        sql.append("NULLIF(")
        try append(numbers[1], to: &sql)
        sql.append(", 0))")
    }

    /// Writes a number that has to lie between two others, if there are two.
    private func append(bounded numbers: [StoredTerm], to sql: inout SQLText) throws(RepositoryError) {
        guard numbers.count == 3 else { return try append(numbers[0], to: &sql) }
        sql.append("CASE WHEN ")
        try append(numbers[0], to: &sql)
        sql.append(" NOT BETWEEN ")
        try append(numbers[1], to: &sql)
        sql.append(" AND ")
        try append(numbers[2], to: &sql)
        // What is no number fails with a code of its own; a constant would fail while the statement is prepared.
        sql.append(" THEN CAST('out of the range of its type: ' || ")
        try append(numbers[0], to: &sql)
        sql.append(" AS bigint) ELSE ")
        try append(numbers[0], to: &sql)
        sql.append(" END")
    }

    /// Writes a search in a text, which ignores the case of the letters A to Z.
    private func append(
        _ search: TextSearch, _ arguments: [StoredTerm], to sql: inout SQLText
    ) throws(RepositoryError) {
        func pattern(_ dialect: PostgresDialect, _ sql: inout SQLText) throws(RepositoryError) {
            guard case .constant(.blob(let bytes)) = arguments[1] else {
                return try dialect.append(arguments[1], to: &sql)
            }
            sql.bind(.text(String(decoding: bytes, as: UTF8.self)))
        }
        switch search {
        case .contains:
            sql.append("position(")
            try pattern(self, &sql)
            sql.append(" IN lower(")
            try append(arguments[0], to: &sql)
            sql.append(" COLLATE \"C\")) > 0")
        case .prefix:
            sql.append("starts_with(lower(")
            try append(arguments[0], to: &sql)
            sql.append(" COLLATE \"C\"), ")
            try pattern(self, &sql)
            sql.append(")")
        case .suffix:
            sql.append("right(lower(")
            try append(arguments[0], to: &sql)
            sql.append(" COLLATE \"C\"), char_length(")
            try pattern(self, &sql)
            sql.append(")) = ")
            try pattern(self, &sql)
        }
    }

    /// Writes a part of a date; NULL where the date is beyond PostgreSQL's calendar.
    private func append(datePart arguments: [StoredTerm], to sql: inout SQLText) throws(RepositoryError) {
        guard case .constant(.integer(let number)) = arguments[1], let part = DatePart(rawValue: Int(number)),
            case .constant(.text(let zone)) = arguments[2]
        else { throw .misuse(detail: "the part of a date, or its zone, is not known") }
        sql.append("CASE WHEN ")
        try append(arguments[0], to: &sql)
        // From the first day of the calendar, in 4714 before Christ, to the last in 294276, less a day for the zone.
        sql.append(" BETWEEN -211852022400 AND 9223371331200 - 978307200 - 86400 THEN CAST(")
        sql.append(part.field)
        try append(arguments[0], in: zone, to: &sql)
        // There is no year 0: the year before the first is the first before Christ.
        if part == .year {
            sql.append(") + CASE WHEN EXTRACT(year FROM ")
            try append(arguments[0], in: zone, to: &sql)
            sql.append(") < 0 THEN 1 ELSE 0 END AS bigint) END")
        } else {
            sql.append(") AS bigint) END")
        }
    }

    /// Writes a date as a time in a zone.
    private func append(_ date: StoredTerm, in zone: String, to sql: inout SQLText) throws(RepositoryError) {
        sql.append("to_timestamp(floor(")
        try append(date, to: &sql)
        sql.append(") + 978307200) AT TIME ZONE ")
        // PostgreSQL reads GMT+1 as POSIX does: an hour to the west.
        guard zone.hasPrefix("GMT"), let seconds = TimeZone(identifier: zone)?.secondsFromGMT() else {
            return sql.bind(.text(zone.isEmpty ? "UTC" : zone))
        }
        sql.append("make_interval(secs => ")
        sql.bind(.integer(Int64(seconds)))
        sql.append(")")
    }
}

extension StoredTerm {
    /// Whether it is a column of ids, of which PostgreSQL knows neither the least nor the greatest before version 18.
    fileprivate var holdsID: Bool {
        if case .column(let column) = self { column.holdsID == true } else { false }
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

// Order.
extension PostgresDialect {
    var hasRowOrder: Bool { false }

    // A table has no number of rows, and a list that is in the order of the keys no use for one.
    func append(rowNumberOf table: String?, to sql: inout SQLText) {
        sql.append("0::bigint")
    }

    func order(of table: SourceTable) throws(RepositoryError) -> [StoredTerm] { try table.keyColumns }

    func append(isDescending: Bool, of key: StoredTerm, to sql: inout SQLText) {
        var isOptional = true
        if case .column(let column) = key { isOptional = column.isOptional }
        switch (isDescending, isOptional) {
        case (false, false): return
        case (false, true): sql.append(" NULLS FIRST")
        case (true, false): sql.append(" DESC")
        case (true, true): sql.append(" DESC NULLS LAST")
        }
    }

    func append(limit: Int?, offset: Int?, to sql: inout SQLText) {
        if let limit {
            sql.append(" LIMIT ")
            sql.bind(.integer(Int64(limit)))
        }
        if let offset {
            sql.append(" OFFSET ")
            sql.bind(.integer(Int64(offset)))
        }
    }

    func append(_ sum: WideSum, of column: StoredColumn, to sql: inout SQLText) {
        sql.append("sum(")
        sql.append(column: column)
        switch sum {
        case .halves:
            sql.append(" >> 32), sum(")
            sql.append(column: column)
            sql.append(" & 4294967295)")
        case .infinities:
            sql.append("), count(*) FILTER (WHERE ")
            sql.append(column: column)
            sql.append(" IN ('Infinity', '-Infinity'))")
        }
    }
}

// What is asked about statements and stores.
extension PostgresDialect {
    func plan(of statement: SQLText) -> SQLText {
        var sql = SQLText("EXPLAIN ")
        sql.append(statement)
        return sql
    }

    func steps(ofPlan statement: any StoreStatement) throws(RepositoryError) -> [String] {
        try statement.all { row throws(RepositoryError) in
            guard case .text(let step) = try row.value(at: 0) else { return "" }
            return step
        }
    }

    var hasIdentity: SQLText {
        SQLText("SELECT 1 WHERE to_regclass('signal_repository_identity') IS NOT NULL")
    }

    // With the version of the layout: the table is what a schema of this library is known by.
    func createIdentity() -> SQLText {
        SQLText(
            """
            CREATE TABLE signal_repository_identity \
            (identity text COLLATE "C" NOT NULL, version bigint NOT NULL DEFAULT 1)
            """)
    }
}
