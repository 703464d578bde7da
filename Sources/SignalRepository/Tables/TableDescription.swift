import CSQLite

/// A table or view of a file, as SQLite describes it.
///
/// It is the only type that knows how a table stores, compares and numbers its rows.
struct TableDescription: Sendable, Equatable {
    struct Column: Sendable, Equatable {
        let name: String
        /// The declared type; empty if the column has none.
        let type: String
        let affinity: ColumnAffinity
        /// The collation of the column's texts; empty if it is unknown.
        let collation: String
        /// The text of the default, as written in the file.
        let defaultText: String?
        let isNotNull: Bool
        /// The position in the primary key, counted from 1; 0 for other columns.
        let keyPosition: Int64
        let computation: Computation

        var isComputed: Bool { computation != .none }
        /// Whether the column has a type, and holds only values of this type if the table is STRICT.
        var hasType: Bool { !type.isEmpty && Identifier.key(type) != Identifier.key("ANY") }
        /// Whether every new row needs a value for the column.
        var isRequired: Bool { isNotNull && defaultText == nil && keyPosition == 0 && !isComputed }
    }

    enum Computation: Int64, Sendable {
        case none = 0
        /// A column of a virtual table that `SELECT *` leaves out.
        case hidden = 1
        case virtual = 2
        case stored = 3
    }

    let name: String
    /// "table", "view", "virtual" or "shadow".
    let kind: String
    let isStrict: Bool
    /// Whether the file stores texts in UTF-8, the encoding in which the library compares texts.
    let isUTF8: Bool
    let hasRowID: Bool
    let columns: [Column]
    /// The indexes of the primary key's columns, in the order of the key.
    let key: [Int]
    /// The index of the column that is an alias of the rowid; SQLite generates its value if an insert has none.
    let rowIDAlias: Int?

    var isView: Bool { kind == "view" }
    var keyNames: [String] { key.map { columns[$0].name } }
    var hasVirtualColumns: Bool { columns.contains { $0.computation == .virtual } }

    /// A name for the rowid that no column has; `nil` if columns have all its names, or there is no rowid.
    var rowIDName: String? {
        guard hasRowID else { return nil }
        let taken = Set(columns.map { Identifier.key($0.name) })
        return ["_rowid_", "rowid", "oid"].first { !taken.contains(Identifier.key($0)) }
    }

    /// Whether statements can order rows by `_rowid_`, the name that they use for the rowid.
    var hasRowOrder: Bool { rowIDName == "_rowid_" }

    /// Whether the preupdate hook reports the rows as statements read them.
    ///
    /// False for tables with virtual columns, which SQLite counts in two ways. Also false if columns hide all names of
    /// the rowid, because no statement could then read the rowid of a row.
    var isReported: Bool { !hasVirtualColumns && (!hasRowID || rowIDName != nil) }

    /// Describes the table or view with a name, ignoring case; `nil` if it does not exist.
    init?(_ name: String, in connection: Connection) throws(RepositoryError) {
        let tables = try connection.rows(
            "SELECT name, type, wr, strict FROM pragma_table_list WHERE schema = 'main' AND name = ? COLLATE NOCASE",
            [.text(name)])
        guard let row = tables.first else { return nil }
        try self.init(row, isUTF8: try connection.isUTF8, in: connection)
    }

    private init?(_ row: [SQLValue], isUTF8: Bool, in connection: Connection) throws(RepositoryError) {
        guard case .text(let name) = row[0], case .text(let kind) = row[1] else { return nil }
        (self.name, self.kind, self.isUTF8) = (name, kind, isUTF8)
        isStrict = row[3] == .integer(1)
        hasRowID = row[2] == .integer(0) && kind != "view"
        let columns = try Self.columns(of: name, isStrict: isStrict, in: connection)
        let key = columns.indices.filter { columns[$0].keyPosition > 0 }
            .sorted { columns[$0].keyPosition < columns[$1].keyPosition }
        rowIDAlias = try Self.rowIDAlias(key, columns, of: name, hasRowID: hasRowID, in: connection)
        (self.columns, self.key) = (columns, key)
    }

    /// Describes every table of a file, except views and SQLite's internal tables.
    static func all(in connection: Connection) throws(RepositoryError) -> [TableDescription] {
        let rows = try connection.rows(
            "SELECT name, type, wr, strict FROM pragma_table_list "
                + "WHERE schema = 'main' AND type IN ('table', 'shadow')")
        let isUTF8 = try connection.isUTF8
        var tables: [TableDescription] = []
        for row in rows {
            guard case .text(let name) = row[0], !Identifier.key(name).starts(with: "sqlite_".utf8),
                let table = try TableDescription(row, isUTF8: isUTF8, in: connection)
            else { continue }
            tables.append(table)
        }
        return tables
    }

    private static func columns(
        of table: String, isStrict: Bool, in connection: Connection
    ) throws(RepositoryError) -> [Column] {
        let rows = try connection.rows(
            "SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo(?)", [.text(table)])
        var columns: [Column] = []
        for row in rows {
            guard case .text(let name) = row[0], case .text(let type) = row[1], case .integer(let position) = row[4],
                case .integer(let hidden) = row[5]
            else { continue }
            var defaultText: String?
            if case .text(let text) = row[3] { defaultText = text }
            columns.append(
                Column(
                    name: name, type: type, affinity: ColumnAffinity(declaration: type, isStrict: isStrict),
                    collation: connection.collation(of: name, in: table), defaultText: defaultText,
                    isNotNull: row[2] != .integer(0), keyPosition: position,
                    computation: Computation(rawValue: hidden) ?? .virtual))
        }
        return columns
    }

    /// Returns the index of the key column that is an alias of the rowid, or `nil`.
    ///
    /// An `INTEGER PRIMARY KEY` is the rowid, unless SQLite has an index for it, as for a key that is declared `DESC`.
    private static func rowIDAlias(
        _ key: [Int], _ columns: [Column], of table: String, hasRowID: Bool, in connection: Connection
    ) throws(RepositoryError) -> Int? {
        guard hasRowID, key.count == 1, Identifier.key(columns[key[0]].type) == Identifier.key("INTEGER") else {
            return nil
        }
        let indexes = try connection.rows("SELECT 1 FROM pragma_index_list(?) WHERE origin = 'pk'", [.text(table)])
        return indexes.isEmpty ? key[0] : nil
    }

    struct UniqueSet {
        let columns: Set<String>
        /// Whether the index compares each column by the column's collation.
        let usesColumnCollations: Bool
        /// The first column in which the index may treat different texts as equal, and the index's collation.
        let collated: (column: String, collation: String)?
    }

    /// Returns the unique sets of columns: the primary key, and the unique indexes that cover all rows and no
    /// expression.
    func uniqueSets(in connection: Connection) throws(RepositoryError) -> [UniqueSet] {
        var sets: [UniqueSet] = []
        if rowIDAlias != nil {
            sets.append(UniqueSet(columns: Set(keyNames), usesColumnCollations: true, collated: nil))
        }
        let indexes = try connection.texts(
            "SELECT name FROM pragma_index_list(?) WHERE \"unique\" AND NOT partial", [.text(name)])
        for index in indexes {
            let parts = try connection.rows(
                "SELECT name, coll FROM pragma_index_xinfo(?) WHERE key", [.text(index)])
            let found = parts.compactMap { part -> (column: Column, collation: String)? in
                guard case .text(let name) = part[0], case .text(let collation) = part[1],
                    let column = columns.first(where: { $0.name == name })
                else { return nil }
                return (column, collation)
            }
            guard found.count == parts.count else { continue }
            let collated = found.first { Identifier.key($0.collation) != Identifier.key("BINARY") }
            sets.append(
                UniqueSet(
                    columns: Set(found.map(\.column.name)),
                    usesColumnCollations: found.allSatisfy {
                        Identifier.key($0.column.collation) == Identifier.key($0.collation)
                    },
                    collated: collated.map { ($0.column.name, $0.collation) }))
        }
        return sets
    }
}

extension TableDescription {
    /// Returns the layout of the rows that the preupdate hook reports, or `nil` if such rows could not be interpreted.
    ///
    /// It is also `nil` if a column's default cannot be read.
    func layout(in connection: Connection) throws(RepositoryError) -> TableLayout? {
        guard isReported else { return nil }
        var defaults: [SQLValue] = []
        for column in columns {
            var absent = SQLValue.null
            if let text = column.defaultText {
                guard let value = try connection.value(ofDefault: text, column.affinity) else { return nil }
                absent = value
            }
            defaults.append(absent)
        }
        return layout(defaults)
    }

    /// Returns the layout of the table's rows, with the columns' values in rows that are older than the columns.
    func layout(_ defaults: [SQLValue]) -> TableLayout {
        let columns = zip(columns, defaults).enumerated().map { index, column in
            TableLayout.Column(
                name: column.0.name, affinity: column.0.affinity, absent: column.1, isMadeReal: isMadeReal(index),
                hasType: column.0.hasType,
                collation: Identifier.key(column.0.collation) == Identifier.key("BINARY") ? nil : column.0.collation)
        }
        return TableLayout(
            name: name, columns: columns, key: key, hasRowID: hasRowID,
            isKeyedByNumber: hasRowID && (key.isEmpty || rowIDAlias != nil), isFollowed: isUTF8 && kind == "table",
            isStrict: isStrict, isConverted: !isStrict || !hasRowID, rowIDName: rowIDName)
    }

    /// Whether the preupdate hook reports a stored integer as a floating-point number.
    ///
    /// In a table without rowids, a stored row begins with the columns of the key. SQLite finds a value by its position
    /// in that row. But to look up whether the column is REAL, it uses this position as the column's number in the
    /// table.
    private func isMadeReal(_ index: Int) -> Bool {
        guard !hasRowID, !isView else { return false }
        let order = key + columns.indices.filter { !key.contains($0) }
        guard let position = order.firstIndex(of: index) else { return false }
        return columns[position].affinity == .real && columns[index].affinity != .real
    }
}

extension TableDescription {
    /// Returns whether ON CONFLICT clauses of the table change a plain INSERT or UPDATE; `OR ABORT` overrides them.
    ///
    /// SQLite does not report these clauses, so the method compares the programs of each statement, with `OR ABORT` and
    /// without. It returns `nil` if `OR ABORT` would also change what the triggers do.
    func hasConflictClauses(in connection: Connection) -> Bool? {
        let names = columns.filter { !$0.isComputed }.map { Identifier.quoted($0.name) }
        let table = Identifier.quoted(name)
        let values = names.map { _ in "?" }.joined(separator: ", ")
        let insertion = "INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(values))"
        let update = "\(table) SET \(names.map { "\($0) = ?" }.joined(separator: ", "))"
        var hasClauses = false
        var areTriggersChanged = false
        for (plain, aborting) in [
            ("INSERT \(insertion)", "INSERT OR ABORT \(insertion)"), ("UPDATE \(update)", "UPDATE OR ABORT \(update)"),
        ] {
            // A statement that does not compile needs no comparison: it fails in the same way when it is executed.
            guard let plain = try? connection.programs(of: plain),
                let aborting = try? connection.programs(of: aborting)
            else { continue }
            if plain.first != aborting.first { hasClauses = true }
            if plain.dropFirst() != aborting.dropFirst() { areTriggersChanged = true }
        }
        return hasClauses && areTriggersChanged ? nil : hasClauses
    }
}

extension Connection {
    /// Returns the compiled program of a statement, followed by the programs of the triggers that it fires.
    fileprivate func programs(of sql: String) throws(RepositoryError) -> [[[SQLValue]]] {
        var programs: [[[SQLValue]]] = []
        let steps = try prepare("EXPLAIN \(sql)")
        while try steps.step() {
            // The address, the opcode and its numeric operands; the other columns are text for display.
            var step: [SQLValue] = []
            for index in [0, 1, 2, 3, 4, 6] { step.append(try steps.value(at: index)) }
            if step[0] == .integer(0) { programs.append([]) }
            if !programs.isEmpty { programs[programs.count - 1].append(step) }
        }
        return programs
    }
}
