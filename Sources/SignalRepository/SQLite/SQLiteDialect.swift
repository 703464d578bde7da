/// SQL as SQLite reads it.
struct SQLiteDialect: Dialect {
    /// Whether the file is something else's, in which nothing is kept.
    var isAdopted = false
    /// The views of the store and of attached files, whose rows have no numbers.
    var views: Set<String> = []
    /// The tables that something else has made, here or in an attached file.
    var tables: [String: AdoptedTable] = [:]

    /// Whether what is spelled stands in a declaration, which another program has to understand.
    var isDeclaration = false
    /// Whether what is spelled is a part of a number that is looked at as a whole.
    var isGuarded = false
    /// The functions and collations of the program's own that connections have, by their names.
    var own: Set<String> = []

    var same: StaticString { " IS " }
    var notSame: StaticString { " IS NOT " }
    var real: StaticString { "REAL" }

    // Integers and texts are passed as one JSON array in one parameter, so that any number of them makes the same
    // statement and no limit is met. Bytes, and texts with NUL, which JSON cannot represent, are passed as one blob
    // that is cut into pieces; numbers with a fraction are bound one by one.
    func append(_ column: StoredColumn, isAmong values: [SQLValue], to sql: inout SQLText) throws(RepositoryError) {
        sql.append(column: column)
        sql.append(" IN (")
        if isDeclaration {
            sql.bind(list: values)
        } else if let json = JSONArray.text(of: values) {
            sql.append("SELECT value FROM json_each(")
            sql.bind(.text(json))
            sql.append(")")
        } else if let pieces = JSONArray.pieces(of: values) {
            sql.append(pieces.areTexts ? "SELECT CAST(substr(" : "SELECT substr(")
            sql.bind(.blob(pieces.bytes))
            sql.append(", json_extract(value, '$[0]'), json_extract(value, '$[1]'))")
            sql.append(pieces.areTexts ? " AS TEXT) FROM json_each(" : " FROM json_each(")
            sql.bind(.text(pieces.offsets))
            sql.append(")")
        } else {
            guard values.count <= SQLText.mostSingleValues else {
                throw .tooBig(
                    detail: "\(values.count) values for \(column.name), at most "
                        + "\(SQLText.mostSingleValues) can be listed")
            }
            sql.bind(list: values)
        }
        sql.append(")")
    }

    // Where SQLite's own functions know bytes and ASCII, Swift's know characters: those are ours, and every connection
    // has them.
    func append(
        _ operation: Operation, of arguments: [StoredTerm], where test: StoredTest?, to sql: inout SQLText
    ) throws(RepositoryError) {
        switch operation {
        case .arithmetic(let chain) where !isDeclaration && [.plus, .minus, .times].contains(chain):
            _ = try append(chain: chain, arguments, isChecked: false, to: &sql)
        case .joined where !isDeclaration: try append(joined: arguments, to: &sql)
        case .arithmetic(.plus): try append(arguments, separator: " + ", to: &sql)
        case .arithmetic(.minus): try append(arguments, separator: " - ", to: &sql)
        case .arithmetic(.times): try append(arguments, separator: " * ", to: &sql)
        case .arithmetic(.dividedBy): try append(arguments, separator: " / ", to: &sql)
        case .arithmetic(.remainder): try append(arguments, separator: " % ", to: &sql)
        case .joined: try append(arguments, separator: " || ", to: &sql)
        case .negated: try append("-", of: arguments, to: &sql)
        case .magnitude: try append("abs", of: arguments, to: &sql)
        case .coalesced: try append("coalesce", of: arguments, to: &sql)
        case .bounded where isDeclaration && arguments.count == 1: try append(guarded: arguments[0], to: &sql)
        case .saturated where isDeclaration: try append(arguments[0], to: &sql)
        case .bounded where isDeclaration, .text where isDeclaration, .search where isDeclaration,
            .datePart where isDeclaration, .own where isDeclaration, .collated where isDeclaration,
            .localized where isDeclaration:
            throw .misuse(
                detail: "what Swift computes of texts and dates, and of numbers of less than 64 bits, cannot stand in "
                    + "a declaration: another program that writes to the file could not compute it")
        case .bounded: try append(bounded: arguments, to: &sql)
        case .saturated: try append(IntegerCheck.compared, of: arguments, to: &sql)
        case .text(let function): try append(function.function, of: arguments, to: &sql)
        case .search(let search): try append(search.function, of: arguments, to: &sql)
        case .datePart: try append(DatePart.function, of: arguments, to: &sql)
        case .own(let name):
            try checkOwn(name, "function")
            sql.append(name: name)
            try append(arguments, separator: ", ", to: &sql)
        case .collated(let name):
            try checkOwn(name, "collation")
            try append(arguments[0], collatedBy: name, to: &sql)
        case .localized(let locale):
            try append(arguments[0], collatedBy: LocalizedOrder.prefix + locale, to: &sql)
        case .count: try append("count", of: arguments, to: &sql)
        case .sum: try append("sum", ofNumbers: arguments, to: &sql)
        case .total: try append("total", ofNumbers: arguments, to: &sql)
        case .average: try append("avg", ofNumbers: arguments, to: &sql)
        case .minimum: try append("min", of: arguments, to: &sql)
        case .maximum: try append("max", of: arguments, to: &sql)
        }
        try append(filter: test, to: &sql)
    }

    /// Throws where the program's own is not there: SQLite may have another of the same name.
    private func checkOwn(_ name: String, _ noun: String) throws(RepositoryError) {
        guard !own.contains(name) else { return }
        throw .misuse(detail: "the store was opened without the \(noun) \(name)")
    }

    /// Writes a whole number that has the statement fail where it is too large for 64 bits, or not between two others.
    private func append(bounded arguments: [StoredTerm], to sql: inout SQLText) throws(RepositoryError) {
        guard case .operation(.arithmetic(let operation), let numbers) = arguments[0],
            [.plus, .minus, .times].contains(operation)
        else { return try append(IntegerCheck.function, of: arguments, to: &sql) }
        sql.append(IntegerCheck.function)
        sql.append("(")
        let hasUncheckedOperands = try append(chain: operation, numbers, isChecked: true, to: &sql)
        for bound in arguments.dropFirst() {
            sql.append(", ")
            try append(bound, to: &sql)
        }
        if arguments.count == 1, hasUncheckedOperands { sql.append(", 0") }
        sql.append(")")
    }

    /// Writes a whole number that has the statement fail where it is too large for 64 bits, by SQLite's own functions.
    ///
    /// SQLite goes on in floating point then, to the end of the number: so it is looked at once, and a function that is
    /// known to fail does so.
    private func append(guarded number: StoredTerm, to sql: inout SQLText) throws(RepositoryError) {
        guard !isGuarded else { return try append(number, to: &sql) }
        var inner = self
        inner.isGuarded = true
        sql.append("(")
        try inner.append(number, to: &sql)
        sql.append(" + 0 * abs((typeof(")
        try inner.append(number, to: &sql)
        sql.append(") = 'real') * -9223372036854775807 - 1))")
    }

    private func append(_ text: StoredTerm, collatedBy name: String, to sql: inout SQLText) throws(RepositoryError) {
        sql.append("(")
        try append(text, to: &sql)
        sql.append(" COLLATE ")
        sql.append(name: name)
        sql.append(")")
    }

    func append(valueOf test: StoredTest, to sql: inout SQLText) throws(RepositoryError) {
        var whole = self
        whole.isGuarded = false
        sql.append("((")
        try whole.append(test, to: &sql)
        sql.append(") IS TRUE)")
    }

    func append(truthOf term: StoredTerm, to sql: inout SQLText) throws(RepositoryError) {
        try append(term, to: &sql)
    }
}

// Order.
extension SQLiteDialect {
    func append(rowNumberOf table: String?, to sql: inout SQLText) {
        sql.append(column: StoredColumn("_rowid_", of: table))
    }

    func order(of table: SourceTable) throws(RepositoryError) -> [StoredTerm] {
        let hasRowOrder = tables[table.name]?.description.hasRowOrder ?? !views.contains(table.name)
        return hasRowOrder ? [.rowNumber(table: table.label)] : try table.keyColumns
    }

    func append(isDescending: Bool, of key: StoredTerm, to sql: inout SQLText) {
        if isDescending { sql.append(" DESC") }
    }

    func append(limit: Int?, offset: Int?, to sql: inout SQLText) {
        guard limit != nil || offset != nil else { return }
        sql.append(" LIMIT ")
        sql.bind(.integer(Int64(limit ?? -1)))
        guard let offset else { return }
        sql.append(" OFFSET ")
        sql.bind(.integer(Int64(offset)))
    }

    func append(_ sum: WideSum, of column: StoredColumn, to sql: inout SQLText) {
        sql.append("sum(")
        append(number: column, to: &sql)
        switch sum {
        case .halves:
            // The high and the low half of each value, whose sums cannot overflow with fewer than 2^31 rows.
            sql.append(" >> 32), sum(")
            append(number: column, to: &sql)
            sql.append(" & 4294967295)")
        case .infinities:
            sql.append("), count(*) FILTER (WHERE ")
            sql.append(column: column)
            sql.append(" IN (9e999, -9e999))")
        }
    }
}

// Values in the columns of other programs.
extension SQLiteDialect {
    /// Writes a function of numbers that adds them up: SQLite would take what is not a number for zero.
    private func append(
        _ function: StaticString, ofNumbers arguments: [StoredTerm], to sql: inout SQLText
    ) throws(RepositoryError) {
        guard !tables.isEmpty, case .column(let column)? = arguments.first else {
            return try append(function, of: arguments, to: &sql)
        }
        sql.append(function)
        sql.append("(")
        append(number: column, to: &sql)
        sql.append(")")
    }

    /// Writes a column that is added up, so that the statement fails where a value is not of the property's class.
    private func append(number column: StoredColumn, to sql: inout SQLText) {
        guard !tables.isEmpty, let function = ValueCheck.function(of: column.storageClass) else {
            return sql.append(column: column)
        }
        sql.append(function)
        sql.append("(")
        sql.append(column: column)
        sql.append(")")
    }

    func append(
        _ value: SQLText, storedIn column: String, of table: String, to sql: inout SQLText
    ) {
        guard tables[table]?.convertingColumns.contains(column) == true else { return sql.append(value) }
        sql.append(ValueCheck.stored)
        sql.append("(")
        sql.append(value)
        sql.append(", ")
        sql.append(quoted: Identifier.literal(ValueCheck.place(column, of: table)))
        sql.append(")")
    }

    func insertion(into table: String) -> StaticString { aborts(table) ? "INSERT OR ABORT INTO " : "INSERT INTO " }

    func update(of table: String) -> StaticString { aborts(table) ? "UPDATE OR ABORT " : "UPDATE " }

    /// Whether a change of a table has to say what a conflict does: the table itself says something else.
    private func aborts(_ table: String) -> Bool { tables[table]?.hasConflictClauses == true }

    // SQLite (3.40 at least) makes a floating-point number of a value of the wrong column there.
    func canUseExcluded(in table: String) -> Bool { tables[table]?.description.hasVirtualColumns != true }

    // SQLite's conversion to UTF-16 replaces the last two code points of a plane.
    func changesTexts(of table: String) -> Bool { tables[table]?.description.isUTF8 == false }
}

// Full-text search.
extension SQLiteDialect {
    func append(rowOf table: String?, matches pattern: SearchPattern, to sql: inout SQLText) {
        append(rowNumberOf: table, to: &sql)
        sql.append(" IN (SELECT rowid FROM ")
        sql.append(name: pattern.index)
        sql.append(" WHERE ")
        sql.append(name: pattern.index)
        sql.append(" MATCH ")
        sql.bind(.text(pattern.phrases))
        sql.append(")")
    }

    func append(rowOf table: String, isFoundBy pattern: SearchPattern, to sql: inout SQLText) {
        sql.append("((")
        sql.append(column: StoredColumn("rowid", of: pattern.index))
        sql.append(" = ")
        append(rowNumberOf: table, to: &sql)
        sql.append(") AND (")
        sql.append(column: StoredColumn(pattern.index, of: pattern.index))
        sql.append(" MATCH ")
        sql.bind(.text(pattern.phrases))
        sql.append("))")
    }

    func append(_ value: SearchValue, of index: String, to sql: inout SQLText) {
        sql.append(value == .rank ? "bm25(" : "snippet(")
        sql.append(name: index)
        sql.append(value == .rank ? ")" : ", -1, char(64976), char(64977), '…', 16)")
    }
}

extension SearchPattern {
    /// The pieces as FTS5 takes them: each quoted, so that no sign means anything.
    fileprivate var phrases: String {
        pieces.map { Self.quoted($0.text) + ($0.isPrefix ? " *" : "") }.joined(separator: " ")
    }

    /// By scalars: a quotation mark with a combining mark is one character, and another one.
    private static func quoted(_ word: String) -> String {
        var quoted = "\""
        for scalar in word.unicodeScalars { quoted += scalar == "\"" ? "\"\"" : String(scalar) }
        return quoted + "\""
    }
}

// What is asked about statements and stores.
extension SQLiteDialect {
    func plan(of statement: SQLText) -> SQLText {
        var sql = SQLText("EXPLAIN QUERY PLAN ")
        sql.append(statement)
        return sql
    }

    func steps(ofPlan statement: any StoreStatement) throws(RepositoryError) -> [String] {
        var depths: [SQLValue: Int] = [:]
        return try statement.all { statement throws(RepositoryError) in
            let depth = depths[try statement.value(at: 1)].map { $0 + 1 } ?? 0
            depths[try statement.value(at: 0)] = depth
            return String(repeating: "  ", count: depth) + (try statement.value(String.self, at: 3))
        }
    }

    var hasIdentity: SQLText { SQLText("SELECT 1 FROM sqlite_schema WHERE name = 'signal_repository_identity'") }

    func createIdentity() throws(RepositoryError) -> SQLText {
        guard !isAdopted else {
            throw .misuse(detail: "an item of an adopted file has no URL, for which the file would have to be changed")
        }
        return SQLText("CREATE TABLE IF NOT EXISTS signal_repository_identity (identity TEXT NOT NULL) STRICT")
    }
}
