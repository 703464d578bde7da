struct SQLiteDialect: Dialect, Equatable {
    /// Whether another program made the file; the library creates no table or index in such a file.
    var isAdopted = false
    /// The names of the views in the store and in attached files.
    ///
    /// A row of a view has no rowid.
    var views: Set<String> = []
    /// The tables made by other programs, in this file or an attached one, by their names.
    var tables: [String: AdoptedTable] = [:]

    /// Whether the SQL is part of a table's declaration, which SQLite must understand without this library's functions.
    var isDeclaration = false
    /// Whether the SQL is part of a number expression whose result is checked for overflow.
    var isGuarded = false
    /// The names of the custom functions and collations with which the store was opened.
    var own: Set<String> = []

    func writesSameSQL(as other: any Dialect) -> Bool { (other as? SQLiteDialect) == self }

    var same: StaticString { " IS " }
    var notSame: StaticString { " IS NOT " }
    var real: StaticString { "REAL" }

    // Several integers or texts are bound as one JSON array. So the SQL is the same for each number of them, and the
    // limit on parameters does not apply. JSON cannot represent bytes, or texts that contain NUL. Many such values are
    // bound as one blob that the statement cuts into pieces. All other values are bound one by one.
    func condition(_ column: StoredColumn, isAmong values: [SQLValue]) throws(RepositoryError) -> SQLText {
        if isDeclaration { return "\(column) IN (\(list: values))" }
        // For a list, SQLite builds a temporary table, which costs more than finding a few rows.
        if values.count == 1 { return "\(column) = \(bind: values[0])" }
        if let json = JSONArray.text(of: values) {
            return "\(column) IN (SELECT value FROM json_each(\(bind: .text(json))))"
        }
        if let pieces = JSONArray.pieces(of: values) {
            let piece: SQLText = """
                substr(\(bind: .blob(pieces.bytes)), json_extract(value, '$[0]'), json_extract(value, '$[1]'))
                """
            let value = pieces.areTexts ? "CAST(\(piece) AS TEXT)" : piece
            return "\(column) IN (SELECT \(value) FROM json_each(\(bind: .text(pieces.offsets))))"
        }
        guard values.count <= SQLText.maxSingleValues else {
            throw .tooBig(
                detail: "\(values.count) values for \(column.name), at most "
                    + "\(SQLText.maxSingleValues) can be listed")
        }
        return "\(column) IN (\(list: values))"
    }

    // SQLite's text functions know bytes and ASCII letters only. Every connection has this library's functions, which
    // work on characters, as Swift does.
    func result(
        _ operation: Operation, of arguments: [StoredTerm], where test: StoredTest?
    ) throws(RepositoryError) -> SQLText {
        let sql: SQLText
        if let function = function(of: operation) {
            sql = try call(function, arguments)
        } else {
            sql = try result(operation, of: arguments)
        }
        return try test == nil ? sql : "\(sql)\(filter(test))"
    }

    /// Returns the SQL function that computes an operation; `nil` if a single call is not enough.
    private func function(of operation: Operation) -> StaticString? {
        switch operation {
        case .negated: "-"
        case .magnitude: "abs"
        case .coalesced: "coalesce"
        case .saturated where !isDeclaration: IntegerCheck.compared
        case .text(let function) where !isDeclaration && function.argument != .text: function.function
        case .datePart where !isDeclaration: DatePart.function
        case .distance(let metric) where !isDeclaration: metric.function
        case .exactSum: IntegerSum.exact
        case .sum: IntegerSum.function
        case .total: RealSum.function
        case .totalState: RealSum.state
        case .average: IntegerSum.average
        case .mean: RealSum.average
        case .arithmetic, .joined, .bounded, .saturated, .text, .search, .datePart, .distance, .own, .collated,
            .localized, .count, .minimum, .maximum:
            nil
        }
    }

    // Terms are written recursively. If this function were inlined, each nested call would take several times the
    // stack.
    @inline(never)
    private func result(_ operation: Operation, of arguments: [StoredTerm]) throws(RepositoryError) -> SQLText {
        switch operation {
        case .arithmetic(let operation) where !isDeclaration && [.plus, .minus, .times].contains(operation):
            try checkedChain(operation, arguments, isChecked: false).sql
        case .arithmetic(let operation): try chain(arguments, operation.sign)
        case .joined: try chain(isDeclaration ? arguments : arguments.flatMap(\.joined), " || ")
        case .bounded where !isDeclaration: try bounded(arguments)
        case .bounded where arguments.count == 1: try guarded(arguments[0])
        case .saturated: try term(arguments[0])
        // These functions find nothing in a value that is not text, so their operands need no check.
        case .text(let function) where !isDeclaration: try "\(literal: function.function)(\(arguments.map(term)))"
        case .search(let search) where !isDeclaration: try "\(literal: search.function)(\(arguments.map(term)))"
        case .own(let name) where !isDeclaration: try "\(ownName(name, "function"))(\(arguments.map(term)))"
        case .collated(let name) where !isDeclaration: try collated(arguments[0], ownName(name, "collation"))
        case .localized(let locale) where !isDeclaration:
            try "(\(term(arguments[0])) COLLATE \(name: LocaleCollation.prefix + locale))"
        // These functions return stored values unchanged, so their operands need no check.
        case .count: try "count(\(arguments.map(term)))"
        case .minimum: try "min(\(arguments.map(term)))"
        case .maximum: try "max(\(arguments.map(term)))"
        default:
            throw .misuse(
                detail: "a declaration cannot use operations that Swift computes, on texts, dates, vectors and numbers "
                    + "of less than 64 bits: another program that writes to the file could not compute them")
        }
    }

    /// Returns the name of a custom function or collation.
    ///
    /// Throws if the store was opened without it, because SQLite might find a different one of that name.
    private func ownName(_ name: String, _ noun: String) throws(RepositoryError) -> SQLText {
        guard own.contains(name) else {
            throw .misuse(detail: "the store was opened without the \(noun) \(name)")
        }
        return "\(name: name)"
    }

    /// Returns the SQL of a text with a collation; the caller has checked the collation's name.
    private func collated(_ text: StoredTerm, _ collation: SQLText) throws(RepositoryError) -> SQLText {
        try "(\(term(text)) COLLATE \(collation))"
    }

    /// Returns the SQL of the first argument; the statement fails if that number exceeds 64 bits or the given bounds.
    private func bounded(_ arguments: [StoredTerm]) throws(RepositoryError) -> SQLText {
        guard case .operation(.arithmetic(let operation), let numbers) = arguments[0],
            [.plus, .minus, .times].contains(operation)
        else { return try call(IntegerCheck.function, arguments) }
        let (number, hasUncheckedOperands) = try checkedChain(operation, numbers, isChecked: true)
        var values = try [number] + arguments.dropFirst().map(term)
        if arguments.count == 1, hasUncheckedOperands { values.append("0") }
        return "\(literal: IntegerCheck.function)(\(values))"
    }

    /// Returns the SQL of a number, with SQLite's functions alone; the statement fails if the number overflows 64 bits.
    ///
    /// After an overflow, SQLite continues in floating point. If the result is a floating-point number, `abs` receives
    /// the smallest integer and fails.
    private func guarded(_ number: StoredTerm) throws(RepositoryError) -> SQLText {
        guard !isGuarded else { return try term(number) }
        var inner = self
        inner.isGuarded = true
        let number = try inner.term(number)
        return "(\(number) + 0 * abs((typeof(\(number)) = 'real') * -9223372036854775807 - 1))"
    }

    func value(of test: StoredTest) throws(RepositoryError) -> SQLText {
        var unguarded = self
        unguarded.isGuarded = false
        return try "((\(unguarded.condition(test))) IS TRUE)"
    }

    func condition(truthOf value: StoredTerm) throws(RepositoryError) -> SQLText { try term(value) }
}

// The order of rows.
extension SQLiteDialect {
    func rowNumber(of table: String?) -> SQLText { "\(StoredColumn("_rowid_", of: table))" }

    func order(of table: SourceTable) throws(RepositoryError) -> [StoredTerm] {
        let hasRowOrder = tables[table.name]?.description.hasRowOrder ?? !views.contains(table.name)
        return hasRowOrder ? [.rowNumber(table: table.label)] : try table.keyColumns
    }

    func direction(of key: StoredTerm, isDescending: Bool) -> SQLText { isDescending ? " DESC" : "" }

    func limit(_ limit: Int?, offset: Int?) -> SQLText {
        guard limit != nil || offset != nil else { return "" }
        let sql: SQLText = " LIMIT \(bind: .integer(Int64(limit ?? -1)))"
        guard let offset else { return sql }
        return "\(sql) OFFSET \(bind: .integer(Int64(offset)))"
    }
}

// Values in columns of other programs' tables.
extension SQLiteDialect {
    // In arithmetic, SQLite converts a text to the number at its beginning. A NUMERIC column stores 7.0 as the integer
    // 7, and dividing two integers drops the fraction. So the SQL calls a function that rejects texts, and converts
    // integers to floating point. Columns of views need this, too, because they have no type.
    func operand(_ term: StoredTerm) throws(RepositoryError) -> SQLText {
        guard !isDeclaration, let column = term.sourceColumn, mayHoldOthers(column),
            let function = ValueCheck.function(of: column.storageClass)
        else { return try self.term(term) }
        return try "\(literal: function)(\(self.term(term)))"
    }

    /// Whether a column may hold values of a storage class that its property does not expect.
    private func mayHoldOthers(_ column: StoredColumn) -> Bool {
        if isAdopted { return true }
        guard let table = column.table else { return !tables.isEmpty }
        return tables[table] != nil || views.contains(table)
    }

    func stored(_ value: SQLText, in column: String, of table: String) -> SQLText {
        guard tables[table]?.convertingColumns.contains(column) == true else { return value }
        let path = Identifier.literal(ValueCheck.path(of: column, in: table))
        return "\(literal: ValueCheck.stored)(\(value), \(quoted: path))"
    }

    func insertion(into table: String) -> SQLText {
        aborts(table) ? "INSERT OR ABORT INTO \(changing: table)" : "INSERT INTO \(changing: table)"
    }

    func update(of table: String) -> SQLText {
        aborts(table) ? "UPDATE OR ABORT \(changing: table)" : "UPDATE \(changing: table)"
    }

    /// Whether a change of a table must override the ON CONFLICT clauses in the table's declaration.
    private func aborts(_ table: String) -> Bool { tables[table]?.hasConflictClauses == true }

    // If a table has virtual columns, SQLite (at least 3.40) converts the wrong column of `excluded` to floating point.
    func canUseExcluded(in table: String) -> Bool { tables[table]?.description.hasVirtualColumns != true }

    // When SQLite converts a text to UTF-16, it replaces the last two code points of each Unicode plane.
    func changesTexts(of table: String) -> Bool { tables[table]?.description.isUTF8 == false }
}

// Full-text search.
extension SQLiteDialect {
    func condition(rowOf table: String?, matches pattern: SearchPattern) -> SQLText {
        let found: SQLText = """
            FROM \(name: pattern.index) WHERE \(name: pattern.index) MATCH \(bind: .text(pattern.phrases))
            """
        guard pattern.isByRow else { return "\(rowNumber(of: table)) IN (SELECT rowid \(found))" }
        let ownRow = rowNumber(of: table ?? pattern.table)
        return "EXISTS (SELECT 1 \(found) AND \(StoredColumn("rowid", of: pattern.index)) = \(ownRow))"
    }

    func condition(rowOf table: String, isFoundBy pattern: SearchPattern) -> SQLText {
        """
        ((\(StoredColumn("rowid", of: pattern.index)) = \(rowNumber(of: table))) AND \
        (\(StoredColumn(pattern.index, of: pattern.index)) MATCH \(bind: .text(pattern.phrases))))
        """
    }

    func value(_ value: SearchValue, of index: String) -> SQLText {
        value == .rank
            ? "bm25(\(name: index))" : "snippet(\(name: index), -1, char(64976), char(64977), '…', 16)"
    }
}

extension SearchPattern {
    /// The pieces in FTS5's syntax, each quoted, so that no character has a special meaning.
    fileprivate var phrases: String {
        pieces.map { Self.quoted($0.text) + ($0.isPrefix ? " *" : "") }.joined(separator: " ")
    }

    /// Puts a word in quotation marks, and doubles the marks in it.
    ///
    /// Works on scalars, because a quotation mark with a combining mark is a different character.
    private static func quoted(_ word: String) -> String {
        var quoted = "\""
        for scalar in word.unicodeScalars { quoted += scalar == "\"" ? "\"\"" : String(scalar) }
        return quoted + "\""
    }
}

// Query plans and the store's identity.
extension SQLiteDialect {
    func plan(of statement: SQLText) -> SQLText { "EXPLAIN QUERY PLAN \(statement)" }

    func steps(ofPlan statement: any StoreStatement) throws(RepositoryError) -> [String] {
        var depths: [SQLValue: Int] = [:]
        return try statement.all { statement throws(RepositoryError) in
            let depth = depths[try statement.value(at: 1)].map { $0 + 1 } ?? 0
            depths[try statement.value(at: 0)] = depth
            return String(repeating: "  ", count: depth) + (try statement.value(String.self, at: 3))
        }
    }

    var hasIdentity: SQLText { "SELECT 1 FROM sqlite_schema WHERE name = 'signal_repository_identity'" }

    func createIdentity() throws(RepositoryError) -> SQLText {
        guard !isAdopted else {
            throw .misuse(detail: "an item of an adopted file has no URL: giving it one would change the file")
        }
        return "CREATE TABLE IF NOT EXISTS signal_repository_identity (identity TEXT NOT NULL) STRICT"
    }
}
