import Foundation

/// Receives rows from the preupdate hook, and adds the rows of captured tables to the transaction's journal.
///
/// The state is one struct, so that Swift checks exclusive access once for each row, not once for each property.
struct RowCapture {
    var journal = ChangeJournal()
    private(set) var interest = CaptureInterest.none
    private var layouts: [String: TableLayout] = [:]
    private var encoding: HookEncoding?
    /// The notes about tables whose rows were reported since the schema or the interest last changed.
    private var notes: [TableNote] = []
    /// The index in `notes` of the last row's table, or -1.
    ///
    /// The next row usually belongs to the same table.
    private var last = -1

    mutating func capture(_ interest: CaptureInterest) {
        guard interest != self.interest else { return }
        self.interest = interest
        (notes, last) = ([], -1)
    }

    mutating func begin() {
        (journal, last) = (ChangeJournal(), -1)
        for index in notes.indices { notes[index].begin() }
    }

    /// Replaces the layouts of the tables after a schema change.
    mutating func layOut(_ layouts: [String: TableLayout], _ encoding: HookEncoding) {
        (self.layouts, self.encoding, notes, last) = (layouts, encoding, [], -1)
    }

    /// Records a row that is about to change; `history` receives the row even if its table is not captured.
    mutating func take(_ row: HookedRow, _ history: HistoryRecorder?) {
        if last < 0 || !notes[last].table.isOf(row) { last = index(of: row, history) }
        if let history {
            switch notes[last].history {
            case .none: break
            case .unknown: history.journal.markIncomplete()
            case .rows(let table): history.journal.note(row, table, encoding)
            }
        }
        guard notes[last].isCaptured, journal.isComplete else { return }
        if notes[last].weight >= notes[last].budget, !notes[last].isNeeded {
            notes[last].cut()
            return journal.drop(notes[last].table.name)
        }
        guard let layout = notes[last].layout, row.columnCount == layout.columns.count else {
            return journal.markIncomplete()
        }
        let old = row.hasOld ? row.old(layout, encoding) : nil
        let new = row.hasNew ? row.new(layout, encoding) : nil
        // In the journal, `nil` means a missing old or new row, not an unreadable one.
        guard (old != nil) == row.hasOld, (new != nil) == row.hasNew else { return journal.markIncomplete() }
        notes[last].weight += journal.append(layout, old: old, new: new, RowIDs(old: row.ids.old, new: row.ids.new))
    }

    /// The tables whose changes are all in the journal.
    var captured: DirtyTables {
        var captured = interest.needed
        captured.formUnion(.some(Set(interest.useful.keys).subtracting(notes.lazy.filter(\.isCut).map(\.table.name))))
        return captured
    }

    /// Returns the index of the note about a row's table, and adds the note if it is missing.
    private mutating func index(of row: HookedRow, _ history: HistoryRecorder?) -> Int {
        if let known = notes.firstIndex(where: { $0.table.isOf(row) }) { return known }
        let name = String(cString: row.table)
        let layout = layouts[name]
        notes.append(
            TableNote(
                table: TableName(name), layout: layout, isNeeded: interest.needed.contains(name),
                isUseful: interest.useful[name] != nil, history: note(of: name, layout, in: history),
                most: interest.useful[name] ?? 0))
        return notes.count - 1
    }

    private func note(of name: String, _ layout: TableLayout?, in history: HistoryRecorder?) -> TableNote.History {
        guard let history, !InternalTables.contains(name) else { return .none }
        return layout.map { .rows(history.journal.index(of: $0)) } ?? .unknown
    }
}

/// The way to handle the rows of a table, and the state of the table in the current transaction.
private struct TableNote {
    /// The way the store's history records the table's rows.
    enum History {
        /// The history ignores the rows, records only that unknown rows changed, or records each row under the table's
        /// index in `HistoryJournal`.
        case none, unknown, rows(Int)
    }

    let table: TableName
    let layout: TableLayout?
    let isNeeded: Bool
    let history: History
    private let isUseful: Bool
    private(set) var isCaptured: Bool
    /// Whether capturing stopped because the current transaction exceeded the budget.
    private(set) var isCut = false
    /// The weight (see `CaptureInterest`) of the table's changes in the transaction, including rolled-back changes.
    var weight = 0
    /// The weight at which capturing stops, unless every change is needed.
    ///
    /// When capturing stops, the work on the rows captured so far is wasted. The table is likely to exceed its budget
    /// again, so the budget becomes smaller, and grows again with each transaction that stays within it.
    private(set) var budget: Int
    private let most: Int

    init(table: TableName, layout: TableLayout?, isNeeded: Bool, isUseful: Bool, history: History, most: Int) {
        (self.table, self.layout, self.history, self.most, budget) = (table, layout, history, most, most)
        (self.isNeeded, self.isUseful, isCaptured) = (isNeeded, isUseful, isNeeded || isUseful)
    }

    mutating func begin() {
        if weight > 0, !isCut { budget = min(most, 4 * budget) }
        (isCaptured, isCut, weight) = (isNeeded || isUseful, false, 0)
    }

    mutating func cut() { (isCaptured, isCut, budget) = (false, true, max(most / 16, 1)) }
}

/// The name of a table, with its bytes as a hook reports them, for a fast comparison.
private final class TableName {
    let name: String
    private let bytes: ContiguousArray<CChar>

    init(_ name: String) {
        self.name = name
        bytes = name.utf8CString
    }

    func isOf(_ row: HookedRow) -> Bool {
        // Safe because both pointers are to NUL-terminated strings that live as long as the call.
        bytes.withUnsafeBufferPointer { bytes in bytes.baseAddress.map { strcmp($0, row.table) == 0 } ?? false }
    }
}
