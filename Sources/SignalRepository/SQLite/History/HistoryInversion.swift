import Foundation

/// Takes back an entry of a store's history: rows go, rows come back, rows get their old values.
struct HistoryInversion {
    private enum Change {
        case deletion
        case update([SQLValue])
        case insertion([SQLValue])
    }

    /// The change of one row.
    private struct Step {
        /// The index of the table.
        let table: Int
        let key: [SQLValue]
        var change: Change
        /// Whether the row has given up the value that another row gets, and waits for its own.
        var isParked = false
    }

    /// A table, with the columns that are written.
    private struct Table {
        let history: TableHistory
        let written: [String]
    }

    private let entry: HistoryEntry
    private let store: WriteTransaction
    private let connection: Connection
    private var tables: [Table] = []
    private var steps: [Step] = []

    /// Prepares to take back an entry, whose tables must be as the history says.
    init(
        of entry: HistoryEntry, in store: WriteTransaction, _ connection: Connection
    ) throws(RepositoryError) {
        (self.entry, self.store, self.connection) = (entry, store, connection)
        for (index, table) in entry.content.enumerated() {
            guard table.updated.isEmpty && table.deleted.isEmpty || !table.columns.isEmpty else {
                throw .misuse(
                    detail: "commit \(entry.token.number) cannot be undone: the old values are kept with "
                        + "history: .kept(for:isUndoable:) alone")
            }
            // The table computes the other columns itself.
            let computed = try connection.computedColumns(checking: table, of: entry)
            let written = table.columns.indices.filter { !computed.contains(table.columns[$0]) }
            tables.append(Table(history: table, written: written.map { table.columns[$0] }))
            for key in table.inserted { steps.append(Step(table: index, key: key, change: .deletion)) }
            for (number, key) in (table.updated + table.deleted).enumerated() {
                let old = written.map { table.old[number][$0] }
                let change = number < table.updated.count ? Change.update(old) : .insertion(old)
                steps.append(Step(table: index, key: key, change: change))
            }
        }
    }

    /// Does all steps, and checks that they have changed the rows of the commit, and no others.
    func run(_ keeper: any KeptHistory) throws(RepositoryError) {
        try connection.execute("PRAGMA defer_foreign_keys = ON")
        try runAll()
        let expected = Dictionary(entry.content.map { ($0.name, Set($0.keys)) }) { first, _ in first }
        for table in try keeper.net() {
            guard let keys = expected[table.name], keys.isSuperset(of: table.keys) else {
                throw .misuse(
                    detail: "commit \(entry.token.number) cannot be undone: a trigger or a reference would change "
                        + "other rows of \(table.name)")
            }
        }
        try checkValues()
    }

    /// Does the steps that can be done, and then those that had to wait for them: a row that is referred to goes after
    /// those that refer to it.
    ///
    /// Where rows wait for each other's unique values, each first gives up its own.
    private func runAll() throws(RepositoryError) {
        var (left, isAnyParked) = (steps, false)
        while !left.isEmpty {
            var blocked: [(step: Step, error: RepositoryError)] = []
            for step in left {
                do {
                    _ = try store.changeRows(sql(of: step))
                } catch {
                    guard case .constraint = error else { throw error }
                    blocked.append((step, error))
                }
            }
            let count = blocked.count
            if 2 * count > left.count {
                var isFreed = false
                for index in blocked.indices where try park(&blocked[index].step, blocked[index].error) {
                    isFreed = true
                }
                guard isFreed || count < left.count else { throw blocked[0].error }
                isAnyParked = isAnyParked || isFreed
            }
            left = blocked.map(\.step)
        }
        // A rule for updates may have taken rows that refer to a parked one along, also after they got their values.
        if isAnyParked {
            for step in steps { if case .update = step.change { _ = try store.changeRows(sql(of: step)) } }
        }
    }

    /// A trigger may have changed what was just written.
    private func checkValues() throws(RepositoryError) {
        for table in entry.content {
            let gone = table.inserted.map { (key: $0, old: [SQLValue]?.none) }
            let back = zip(table.updated + table.deleted, table.old).map { (key: $0, old: [SQLValue]?.some($1)) }
            for (key, old) in gone + back {
                var sql = SQLText("SELECT ")
                if table.columns.isEmpty { sql.append("1") } else { sql.append(names: table.columns) }
                sql.append(" FROM ")
                sql.append(name: table.name)
                sql.append(Self.test(key, table))
                guard try store.rows(sql).first == old else {
                    throw .misuse(
                        detail: "commit \(entry.token.number) cannot be undone: a trigger changes what is written to "
                            + "\(table.name)")
                }
            }
        }
    }
}

// Rows that wait for each other.
extension HistoryInversion {
    /// Has a row that waits for a unique value of another give up its own; false where it does not, or has already.
    ///
    /// It gets a value that no row has. Where no column takes one, the row goes, and comes back with its old values.
    private func park(_ step: inout Step, _ error: RepositoryError) throws(RepositoryError) -> Bool {
        guard case .constraint(let kind, let columns, _, _) = error, kind == .unique || kind == .primaryKey,
            case .update(let old) = step.change, !step.isParked
        else { return false }
        let table = tables[step.table]
        let free = table.written.filter { !table.history.key.contains($0) }
        let named = free.filter(columns.contains)
        for column in named {
            let target = old[table.written.firstIndex(of: column) ?? 0]
            guard try giveFreeValue(column, like: target, step) else { continue }
            step.isParked = true
            return true
        }
        // An index over an expression has a name instead: any column may be in it.
        if named.isEmpty {
            for column in free {
                let target = old[table.written.firstIndex(of: column) ?? 0]
                if try giveFreeValue(column, like: target, step) { step.isParked = true }
            }
            if step.isParked { return true }
        }
        guard table.history.key != [HistoryTable.rowID] else { return false }
        let deletion = sql(of: Step(table: step.table, key: step.key, change: .deletion))
        guard try isDone(deletion) else { return false }
        (step.change, step.isParked) = (.insertion(old), true)
        return true
    }

    /// Gives a column of a row a value that no other row has; false where the table takes none.
    private func giveFreeValue(
        _ column: String, like value: SQLValue, _ step: Step
    ) throws(RepositoryError) -> Bool {
        let table = tables[step.table].history
        for free in try freeValues(column, like: value, table) {
            var sql = SQLText("UPDATE ")
            sql.append(changing: table.name)
            sql.append(" SET ")
            sql.append(Self.pairs([column], [free]), separator: ", ")
            sql.append(Self.test(step.key, table))
            if try isDone(sql) { return true }
        }
        return false
    }

    /// Values that no row has in a column, NULL first: it never collides with another.
    private func freeValues(
        _ column: String, like value: SQLValue, _ table: TableHistory
    ) throws(RepositoryError) -> [SQLValue] {
        switch value {
        case .null: return [.null]
        case .integer:
            var sql = SQLText("SELECT max(")
            sql.append(name: column)
            sql.append("), min(")
            sql.append(name: column)
            sql.append(") FROM ")
            sql.append(name: table.name)
            var values = [SQLValue.null]
            if let ends = try store.rows(sql).first {
                if case .integer(let most) = ends[0], most < .max { values.append(.integer(most + 1)) }
                if case .integer(let least) = ends[1], least > .min { values.append(.integer(least - 1)) }
            }
            return values + [.integer(.random(in: .min ... .max))]
        case .real: return [.null, .real(.random(in: -1e15...1e15))]
        case .text: return [.null, .text(UUID().uuidString)]
        case .blob: return [.null, .blob((0..<16).map { _ in .random(in: 0...255) })]
        }
    }

    /// Executes a statement; false where a constraint refuses it.
    private func isDone(_ sql: SQLText) throws(RepositoryError) -> Bool {
        do {
            return try store.changeRows(sql) > 0
        } catch {
            guard case .constraint = error else { throw error }
            return false
        }
    }
}

// Statements.
extension HistoryInversion {
    private func sql(of step: Step) -> SQLText {
        let (table, written) = (tables[step.table].history, tables[step.table].written)
        var sql: SQLText
        switch step.change {
        case .deletion:
            sql = SQLText("DELETE FROM ")
            sql.append(changing: table.name)
            sql.append(Self.test(step.key, table))
        case .update(let old):
            sql = SQLText("UPDATE ")
            sql.append(changing: table.name)
            sql.append(" SET ")
            sql.append(Self.pairs(written, old), separator: ", ")
            sql.append(Self.test(step.key, table))
        case .insertion(let old):
            sql = SQLText("INSERT INTO ")
            sql.append(changing: table.name)
            sql.append(" (")
            sql.append(names: written)
            sql.append(") VALUES (")
            sql.bind(list: old)
            sql.append(")")
        }
        return sql
    }

    private static func test(_ key: [SQLValue], _ table: TableHistory) -> SQLText {
        var sql = SQLText(" WHERE ")
        sql.append(pairs(table.key, key), separator: " AND ")
        return sql
    }

    /// Each column, a sign of equality, and its value.
    private static func pairs(_ names: [String], _ values: [SQLValue]) -> [SQLText] {
        zip(names, values).map { name, value in
            var pair = SQLText("")
            pair.append(name: name)
            pair.append(" = ")
            pair.bind(value)
            return pair
        }
    }
}

extension Connection {
    /// The columns that a table computes; throws where the table is not the one that an entry of the history is about.
    fileprivate func computedColumns(
        checking table: TableHistory, of entry: HistoryEntry
    ) throws(RepositoryError) -> Set<String> {
        let rows = try rows("SELECT name, pk, hidden FROM pragma_table_xinfo(?)", [.text(table.name)])
        var (names, computed, key): ([String], Set<String>, [(Int64, String)]) = ([], [], [])
        for row in rows {
            guard case .text(let name) = row[0], case .integer(let order) = row[1] else { continue }
            names.append(name)
            if case .integer(2...) = row[2] { computed.insert(name) }
            if order > 0 { key.append((order, name)) }
        }
        let keyNames = key.isEmpty ? [HistoryTable.rowID] : key.sorted { $0.0 < $1.0 }.map(\.1)
        let places = table.key.map { table.columns.firstIndex(of: $0) }
        // A row that gets its old values keeps its key.
        let keepKeys = zip(table.updated + table.deleted, table.old).allSatisfy { key, old in
            zip(key, places).allSatisfy { value, place in place.map { old[$0] == value } ?? true }
        }
        guard !rows.isEmpty, !OwnTables.contains(table.name), table.key == keyNames, keepKeys,
            table.columns.isEmpty || table.columns == names
        else {
            throw HistoryTable.damage(
                "commit \(entry.token.number) is about columns or keys that \(table.name) does not have, unless "
                    + "another program has changed that table")
        }
        return computed
    }
}
