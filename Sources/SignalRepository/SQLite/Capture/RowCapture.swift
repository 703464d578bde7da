import Foundation

/// Takes the rows that a hook reports into the journal of the transaction, as far as somebody asks for them.
///
/// All of it is one value, so that a row costs one access, and not one for each of its properties.
struct RowCapture {
    var journal = ChangeJournal()
    private(set) var interest = CaptureInterest.none
    private var layouts: [String: TableLayout] = [:]
    private var form: HookedForm?
    /// The tables whose rows were reported since the tables or the interest have changed.
    private var notes: [TableNote] = []
    /// The one of the last row: most rows are of the same table as the one before.
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

    /// Takes rows of these tables from now on, which have changed.
    mutating func layOut(_ layouts: [String: TableLayout], _ form: HookedForm) {
        (self.layouts, self.form, notes, last) = (layouts, form, [], -1)
    }

    /// Takes a row that is about to change; `history` is told of every one.
    mutating func take(_ row: RowHook, _ history: HistoryKeeper?) {
        if last < 0 || !notes[last].table.isOf(row) { last = index(of: row, history) }
        if let history {
            switch notes[last].history {
            case .none: break
            case .unclear: history.journal.loseTrack()
            case .rows(let table): history.journal.note(row, table, form)
            }
        }
        guard notes[last].isCaptured, journal.isComplete else { return }
        if notes[last].weight >= notes[last].budget, !notes[last].isNeeded {
            notes[last].cut()
            return journal.drop(notes[last].table.name)
        }
        guard let layout = notes[last].layout, row.columnCount == layout.columns.count else {
            return journal.loseTrack()
        }
        let old = row.hasOld ? row.old(layout, form) : nil
        let new = row.hasNew ? row.new(layout, form) : nil
        // A side that is there and cannot be read must not pass for one that is not there.
        guard (old != nil) == row.hasOld, (new != nil) == row.hasNew else { return journal.loseTrack() }
        notes[last].weight += journal.append(layout, old: old, new: new, RowIDs(old: row.ids.old, new: row.ids.new))
    }

    /// The tables of which every change is in the journal.
    var captured: DirtyTables {
        var captured = interest.needed
        captured.formUnion(.some(Set(interest.useful.keys).subtracting(notes.lazy.filter(\.isCut).map(\.table.name))))
        return captured
    }

    /// The index of the note of a row's table, which is made where there is none.
    private mutating func index(of row: RowHook, _ history: HistoryKeeper?) -> Int {
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

    private func note(of name: String, _ layout: TableLayout?, in history: HistoryKeeper?) -> TableNote.History {
        guard let history, !OwnTables.contains(name) else { return .none }
        return layout.map { .rows(history.journal.index(of: $0)) } ?? .unclear
    }
}

/// What is to be done with the rows of a table.
private struct TableNote {
    /// What the store's history notes of its rows.
    enum History {
        /// Nothing, or that it is not known; or the rows, by the table's index.
        case none, unclear, rows(Int)
    }

    let table: TableName
    let layout: TableLayout?
    let isNeeded: Bool
    let history: History
    private let isUseful: Bool
    private(set) var isCaptured: Bool
    /// Whether the present transaction changes it so much that it is of no use to say how.
    private(set) var isCut = false
    /// What its changes in the present transaction weigh, those that were taken back included.
    var weight = 0
    /// What they may weigh, where they are only of use.
    ///
    /// What was captured in vain is paid for twice: who has changed too much will do it again, and is given less until
    /// a transaction keeps to it.
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

/// The name of a table, as it is compared with that of a row.
private final class TableName {
    let name: String
    private let bytes: ContiguousArray<CChar>

    init(_ name: String) {
        self.name = name
        bytes = name.utf8CString
    }

    func isOf(_ row: RowHook) -> Bool {
        // Safe because both pointers are to texts that end with NUL, and live as long as the call.
        bytes.withUnsafeBufferPointer { bytes in bytes.baseAddress.map { strcmp($0, row.table) == 0 } ?? false }
    }
}
