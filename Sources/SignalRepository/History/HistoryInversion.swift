import Foundation

/// An operation that undoes a history entry: it deletes new rows, inserts deleted ones, and restores old values.
struct HistoryInversion {
    private enum Change {
        case deletion
        case update([SQLValue])
        case insertion([SQLValue])
    }

    private struct Step {
        /// The index of the table.
        let table: Int
        let key: [SQLValue]
        let change: Change
        /// The columns that have a temporary value, so that another row can take their unique value.
        var parked: Set<String> = []
    }

    private struct Table {
        let history: TableHistory
        let written: [String]
    }

    private let entry: HistoryEntry
    private var store: WriteTransaction
    private let connection: Connection
    private var tables: [Table] = []
    /// The steps, with updates first, because the deletion of a parent row could cascade to a row that an update moves
    /// to another parent row.
    private var steps: [Step] = []

    /// Prepares to undo an entry; throws if the entry has no old values, or the store's tables do not match it.
    init(
        of entry: HistoryEntry, in store: WriteTransaction, _ connection: Connection
    ) throws(RepositoryError) {
        (self.entry, self.store, self.connection) = (entry, store, connection)
        var (updates, deletions, insertions): ([Step], [Step], [Step]) = ([], [], [])
        for (index, table) in entry.content.enumerated() {
            guard table.updated.isEmpty && table.deleted.isEmpty || !table.columns.isEmpty else {
                throw .misuse(
                    detail: "commit \(entry.token.number) cannot be undone: its old values were not stored; to undo "
                        + "later commits, open the store with history: .kept(for:isUndoable:)")
            }
            // SQLite computes generated columns, so they are not written.
            let computed = try connection.computedColumns(checking: table, of: entry)
            let written = table.columns.indices.filter { !computed.contains(table.columns[$0]) }
            tables.append(Table(history: table, written: written.map { table.columns[$0] }))
            for key in table.inserted { deletions.append(Step(table: index, key: key, change: .deletion)) }
            for (number, key) in (table.updated + table.deleted).enumerated() {
                let old = written.map { table.old[number][$0] }
                if number < table.updated.count {
                    updates.append(Step(table: index, key: key, change: .update(old)))
                } else {
                    insertions.append(Step(table: index, key: key, change: .insertion(old)))
                }
            }
        }
        steps = updates + deletions + insertions
    }

    /// Performs all steps, and checks that the store changed only in the rows of the commit.
    func run(_ keeper: any UndoableHistory) throws(RepositoryError) {
        try connection.execute("PRAGMA defer_foreign_keys = ON")
        var isProven = false
        do throws(RepositoryError) {
            isProven = try store.transaction { inner in
                var nested = self
                nested.store = inner
                return try nested.runAll()
            }
        } catch {
            guard case .constraint = error else { throw error }
            try replaceAll()
        }
        let expected = Dictionary(entry.content.map { ($0.name, Set($0.keys)) }) { first, _ in first }
        for table in try keeper.net() {
            guard let keys = expected[table.name], keys.isSuperset(of: table.keys) else {
                throw .misuse(
                    detail: "commit \(entry.token.number) cannot be undone: a trigger or a reference would change "
                        + "other rows of \(table.name)")
            }
        }
        if isProven { return }
        for step in steps where try !isDone(step) {
            throw .misuse(
                detail: "commit \(entry.token.number) cannot be undone: a trigger changes the values written to "
                    + "\(tables[step.table].history.name)")
        }
    }

    /// Performs the steps, and retries those that a constraint rejects, such as the deletion of a row that other rows
    /// refer to.
    ///
    /// If rows need each other's unique values, each of them first gets a temporary value.
    ///
    /// - Returns: Whether every row is known to be in the state that its step produces.
    private func runAll() throws(RepositoryError) -> Bool {
        var (left, changed) = (steps, 0)
        while !left.isEmpty {
            var blocked: [(step: Step, error: RepositoryError)] = []
            for step in left {
                do {
                    changed += try store.changeRows(sql(of: step))
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
            }
            left = blocked.map(\.step)
        }
        if changed == steps.count, try !connection.changesRowsByRules() { return true }
        // A trigger, or the delete or update rule of a foreign key, may have changed rows after their steps.
        var isProven = true
        for step in steps where try !isDone(step) {
            isProven = false
            guard try store.changeRows(sql(of: step)) == 0, case .update(let old) = step.change else { continue }
            _ = try store.changeRows(sql(of: Step(table: step.table, key: step.key, change: .insertion(old))))
        }
        return isProven
    }

    /// Returns whether a row is in the state that its step produces; a trigger or a foreign key may have changed it.
    private func isDone(_ step: Step) throws(RepositoryError) -> Bool {
        let table = tables[step.table]
        let columns: SQLText = table.written.isEmpty ? "1" : "\(names: table.written)"
        let sql: SQLText = "SELECT \(columns) FROM \(name: table.history.name)\(Self.test(step.key, table.history))"
        let row = try store.rows(of: sql).first
        return switch step.change {
        case .deletion: row == nil
        case .update(let old), .insertion(let old): row == old
        }
    }

    /// Deletes all rows of the commit, and then inserts the old rows, so that the unique values of these rows are free.
    ///
    /// Foreign keys are off in the meantime, so that their delete and update rules change no other rows. All foreign
    /// keys from or to the tables of the commit are checked before and afterwards.
    private func replaceAll() throws(RepositoryError) {
        let before = try brokenReferences()
        try connection.withReferencesOff(store.session) { () throws(RepositoryError) in
            for step in steps {
                if case .insertion = step.change { continue }
                _ = try store.changeRows(sql(of: Step(table: step.table, key: step.key, change: .deletion)))
            }
            for step in steps {
                switch step.change {
                case .deletion: break
                case .update(let old), .insertion(let old):
                    _ = try store.changeRows(sql(of: Step(table: step.table, key: step.key, change: .insertion(old))))
                }
            }
        }
        let after = try brokenReferences()
        if let (reference, _) = after.first(where: { $1 > before[$0, default: 0] }) {
            throw .misuse(
                detail: "commit \(entry.token.number) cannot be undone: it would break a reference (table, parent, "
                    + "rowid: \(reference.map(\.displayText).joined(separator: ", ")))")
        }
    }

    /// Counts the violations of foreign keys from or to the commit's tables, by table, parent table and rowid.
    private func brokenReferences() throws(RepositoryError) -> [[SQLValue]: Int] {
        let names = entry.content.map(\.name)
        let list = names.map { _ in "?" }.joined(separator: ", ")
        let rows = try connection.rows(
            """
            SELECT f."table", f.parent, f.rowid FROM (SELECT DISTINCT t.name FROM sqlite_schema AS t \
            JOIN pragma_foreign_key_list(t.name) AS k WHERE t.type = 'table' \
            AND (t.name COLLATE NOCASE IN (\(list)) OR k."table" COLLATE NOCASE IN (\(list)))) AS c \
            JOIN pragma_foreign_key_check(c.name) AS f
            """, (names + names).map { .text($0) })
        return Dictionary(rows.map { ($0, 1) }, uniquingKeysWith: +)
    }
}

// Rows that need each other's unique values.
extension HistoryInversion {
    /// Gives a temporary unique value to a row that waits for another row's unique value.
    ///
    /// - Returns: Whether a column received a temporary value; false if none accepts one, or all have one already.
    private func park(_ step: inout Step, _ error: RepositoryError) throws(RepositoryError) -> Bool {
        guard case .constraint(let kind, let columns, _, _) = error, kind == .unique || kind == .primaryKey,
            case .update(let old) = step.change
        else { return false }
        let table = tables[step.table]
        let free = zip(table.written, old).filter { !table.history.key.contains($0.0) }
        let named = free.filter { columns.contains($0.0) }
        // The error of an index on expressions does not name the columns, so any column may be in the index.
        var isParked = false
        for (column, target) in named.isEmpty ? free : named where !step.parked.contains(column) {
            guard try giveFreeValue(column, like: target, step) else { continue }
            step.parked.insert(column)
            // If the error names the columns, a temporary value in one of them is enough.
            if !named.isEmpty { return true }
            isParked = true
        }
        return isParked
    }

    /// Gives a column of a row a value that no other row has; returns false if the table rejects every value tried.
    private func giveFreeValue(
        _ column: String, like value: SQLValue, _ step: Step
    ) throws(RepositoryError) -> Bool {
        let table = tables[step.table].history
        for free in try freeValues(column, like: value, table) {
            let test = Self.test(step.key, table)
            let sql: SQLText = "UPDATE \(changing: table.name) SET \(name: column) = \(bind: free)\(test)"
            if try changes(sql) { return true }
        }
        return false
    }

    /// Returns values to try, each unlikely to collide with another row's value.
    ///
    /// NULL comes first, because NULLs never collide.
    private func freeValues(
        _ column: String, like value: SQLValue, _ table: TableHistory
    ) throws(RepositoryError) -> [SQLValue] {
        switch value {
        case .null: return [.null]
        case .integer:
            let sql: SQLText = "SELECT max(\(name: column)), min(\(name: column)) FROM \(name: table.name)"
            var values = [SQLValue.null]
            if let ends = try store.rows(of: sql).first {
                if case .integer(let most) = ends[0], most < .max { values.append(.integer(most + 1)) }
                if case .integer(let least) = ends[1], least > .min { values.append(.integer(least - 1)) }
            }
            return values + [.integer(.random(in: .min ... .max))]
        case .real: return [.null, .real(.random(in: -1e15...1e15))]
        case .text: return [.null, .text(UUID().uuidString)]
        case .blob: return [.null, .blob((0..<16).map { _ in .random(in: 0...255) })]
        }
    }

    /// Executes a statement; returns false if it changed no row, or if a constraint rejected it.
    private func changes(_ sql: SQLText) throws(RepositoryError) -> Bool {
        do {
            return try store.changeRows(sql) > 0
        } catch {
            guard case .constraint = error else { throw error }
            return false
        }
    }
}

// The SQL of the steps.
extension HistoryInversion {
    private func sql(of step: Step) -> SQLText {
        let (table, written) = (tables[step.table].history, tables[step.table].written)
        let test = Self.test(step.key, table)
        switch step.change {
        case .deletion: return "DELETE FROM \(changing: table.name)\(test)"
        case .update(let old): return "UPDATE \(changing: table.name) SET \(Self.pairs(written, old))\(test)"
        case .insertion(let old):
            // A row of a table without a primary key gets its old rowid back.
            let isNumbered = table.key == [HistoryTable.rowID]
            let names = isNumbered ? table.key + written : written
            let values = isNumbered ? step.key + old : old
            return "INSERT INTO \(changing: table.name) (\(names: names)) VALUES (\(list: values))"
        }
    }

    private static func test(_ key: [SQLValue], _ table: TableHistory) -> SQLText {
        " WHERE \(pairs(table.key, key), separator: " AND ")"
    }

    private static func pairs(_ names: [String], _ values: [SQLValue]) -> [SQLText] {
        zip(names, values).map { "\(name: $0) = \(bind: $1)" }
    }
}

extension Connection {
    /// Returns whether the store has triggers, or foreign keys with delete or update rules, which may change more rows.
    fileprivate func changesRowsByRules() throws(RepositoryError) -> Bool {
        try integer(
            """
            SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'trigger') \
            OR EXISTS (SELECT 1 FROM sqlite_temp_schema WHERE type = 'trigger') \
            OR EXISTS (SELECT 1 FROM sqlite_schema AS t JOIN pragma_foreign_key_list(t.name) AS k \
            WHERE t.type = 'table' AND (k.on_update NOT IN ('NO ACTION', 'RESTRICT') \
            OR k.on_delete NOT IN ('NO ACTION', 'RESTRICT')))
            """) == 1
    }

    /// Returns the computed columns of a table; throws if the table does not match an entry of the history.
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
        let indexes = table.key.map { table.columns.firstIndex(of: $0) }
        // A row that gets its old values back must keep its key.
        let keepKeys = zip(table.updated + table.deleted, table.old).allSatisfy { key, old in
            zip(key, indexes).allSatisfy { value, index in index.map { old[$0] == value } ?? true }
        }
        guard !rows.isEmpty, !InternalTables.contains(table.name), table.key == keyNames, keepKeys,
            table.columns.isEmpty || table.columns == names
        else {
            throw HistoryTable.damage(
                "commit \(entry.token.number) does not match the columns or keys of \(table.name), or another program "
                    + "has changed that table")
        }
        return computed
    }
}
