import RepositoryCore

struct StreamedCommit: Sendable {
    /// The low 32 bits of the transaction's number.
    let transaction: UInt32
    /// The position in the write-ahead log after the transaction's commit record.
    let end: WALPosition
    let commit: UnnumberedCommit
    /// The total weight of the captured rows: the sum of the results of `ChangeJournal.append`.
    let weight: Int
    /// Whether the commit changed a table that is new or was altered.
    let hasNewTables: Bool
}

/// The rules for capturing the rows that transactions change.
struct StreamCapture: Sendable {
    var interest = CaptureInterest.none
    /// The number of times that `interest` has changed.
    var version = 0
    var tables: [UInt32: StreamedTable] = [:]
    /// The greatest weight of a table's captured changes in one transaction: `usefulBudget` is for tables in
    /// `interest.useful`, and `neededBudget` for tables in `interest.needed`.
    var (usefulBudget, neededBudget) = (CaptureInterest.usualBudget, 100_000)
}

/// An assembler of commits from the messages of a stream.
///
/// A `ChangeJournal` collects the changed rows, and determines their net changes.
///
/// The assembler never queries the server. If it does not know a table, it reports the table's changes as unknown.
struct StreamedTransactions {
    private var relations: [UInt32: StreamedRelation] = [:]
    private var current: Transaction?
    private(set) var commitCount = 0

    fileprivate struct Transaction {
        let number: UInt32
        let capture: StreamCapture
        var author: String?
        var journal = ChangeJournal()
        var weight = 0
        var changed: Set<String> = []
        /// The tables whose changes are reported as unknown, because some of their changed rows are unknown, or the
        /// rows are too many.
        var unknown: Set<String> = []
        var hasNewTables = false
        /// The capture state of the last row's table.
        ///
        /// Most rows follow a row of the same table, so it saves lookups.
        var last: Note?
        /// The number of the last row's table, if rows of this table are not captured.
        var skipped: UInt32?
        var notes: [UInt32: Note] = [:]
    }

    /// The capture state of a table in the current transaction.
    fileprivate struct Note {
        let table: StreamedTable
        let isNeeded: Bool
        var weight = 0
    }

    var isInTransaction: Bool { current != nil }

    /// Processes a message; returns the commit that it completes.
    ///
    /// When a transaction begins, `capture` returns the rules for it.
    mutating func take(
        _ message: ReplicationMessage, _ capture: () -> StreamCapture
    ) throws(ReplicationFault) -> StreamedCommit? {
        switch message {
        case .begin(let transaction): current = Transaction(number: transaction, capture: capture())
        case .commit(let end):
            guard let transaction = current else { throw .badValue }
            current = nil
            commitCount += 1
            return transaction.commit(end: end)
        case .relation(let relation): relations[relation.number] = relation
        case .insert(let table, let new):
            try change(table) { note throws(ReplicationFault) in
                try note.values(of: new).map { (nil, $0) }
            }
        case .update(let table, let old, let new):
            try change(table) { note throws(ReplicationFault) in
                guard let old, let before = try note.values(of: old) else { return nil }
                return try note.values(of: new, before: before).map { (before, $0) }
            }
        case .delete(let table, let old):
            try change(table) { note throws(ReplicationFault) in
                try note.values(of: old).map { ($0, nil) }
            }
        case .truncate(let tables):
            let names = tables.map { name(of: $0) }
            for name in names { current?.lose(name) }
        case .message(let isTransactional, PostgresConnection.authorPrefix, let content) where isTransactional:
            current?.author = String(decoding: content, as: UTF8.self)
        case .message, .origin, .type: break
        }
        return nil
    }

    private func name(of table: UInt32) -> String {
        current?.capture.tables[table]?.name ?? relations[table]?.name ?? ""
    }

    /// Processes the change of a row; `values` returns the old and the new row, or `nil` if they are unknown.
    private mutating func change(
        _ number: UInt32, _ values: (StreamedTable) throws(ReplicationFault) -> (old: [SQLValue]?, new: [SQLValue]?)?
    ) throws(ReplicationFault) {
        guard current != nil else { throw .badValue }
        if current?.skipped == number { return }
        if current?.last?.table.number != number {
            let (relation, name) = (relations[number], name(of: number))
            guard current?.turn(to: number, relation, name) == true else {
                current?.skipped = number
                return
            }
        }
        current?.skipped = nil
        guard let table = current?.last?.table else { return }
        guard let (old, new) = try values(table) else {
            current?.lose(table.name)
            return
        }
        current?.append(table.layout, old, new)
    }
}

extension StreamedTransactions.Transaction {
    /// Makes a table the current one; returns false if its rows are not captured.
    mutating func turn(to number: UInt32, _ relation: StreamedRelation?, _ name: String) -> Bool {
        if let last { notes[last.table.number] = last }
        last = nil
        changed.insert(name)
        guard !unknown.contains(name) else { return false }
        if let note = notes[number] {
            last = note
            return true
        }
        guard let table = capture.tables[number], table.relation == relation else {
            // The table is new or was altered, so its latest description in the catalog need not fit this older row.
            hasNewTables = true
            lose(name)
            return false
        }
        let isNeeded = capture.interest.needed.contains(name)
        guard isNeeded || capture.interest.useful[name] != nil else { return false }
        guard !table.layout.key.isEmpty else {
            lose(name)
            return false
        }
        last = StreamedTransactions.Note(table: table, isNeeded: isNeeded)
        return true
    }

    /// Marks the transaction's changes to a table as unknown.
    mutating func lose(_ table: String) {
        changed.insert(table)
        unknown.insert(table)
        if last?.table.name == table { last = nil }
        journal.drop(table)
    }

    /// Captures a changed row of the current table.
    mutating func append(_ layout: TableLayout, _ old: [SQLValue]?, _ new: [SQLValue]?) {
        guard let note = last else { return }
        guard note.weight < (note.isNeeded ? capture.neededBudget : capture.usefulBudget) else {
            return lose(layout.name)
        }
        let weight = journal.append(layout, old: old, new: new, RowIDs(old: 0, new: 0))
        last?.weight += weight
        self.weight += weight
    }

    func commit(end: WALPosition) -> StreamedCommit {
        let commit = UnnumberedCommit(
            author: author, tables: .some(changed), rows: rows, captureVersion: capture.version)
        return StreamedCommit(
            transaction: number, end: end, commit: commit, weight: weight, hasNewTables: hasNewTables)
    }

    private var rows: ChangedRows {
        guard !capture.interest.isEmpty else { return .notCaptured }
        // If a reader needs every changed row of a table whose changes are unknown, all changed rows count as unknown.
        guard !unknown.contains(where: { capture.interest.needed.contains($0) }) else { return .unknown }
        var captured = capture.interest.needed
        captured.formUnion(.some(Set(capture.interest.useful.keys).subtracting(unknown)))
        return .known(journal.net(), of: captured)
    }
}
