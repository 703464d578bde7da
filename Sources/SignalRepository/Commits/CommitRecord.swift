import Foundation

/// What one commit did, as far as it is known: the one value from which live queries and change signals learn of it.
struct CommitRecord: Sendable {
    /// Its number; those of a repository start at 1 when it is opened.
    let number: Int
    /// Its author, as given to `Repository.transaction(author:_:)`.
    var author: String?
    /// The time right after it.
    let time = Date()
    /// The tables in which rows were changed.
    let tables: DirtyTables
    /// Which rows changed.
    let rows: ChangedRows
}

/// A commit that the log has still to give its number.
struct UnnumberedCommit: Sendable {
    var author: String?
    let tables: DirtyTables
    let rows: ChangedRows

    /// A commit by another connection, whose changes are not known.
    static let elsewhere = UnnumberedCommit(tables: .all, rows: .elsewhere)
}

/// Which rows a commit changed, as far as it is known.
enum ChangedRows: Sendable {
    /// The net changes by table, of those tables that were captured whole.
    case known([String: TableChanges], of: DirtyTables)
    /// Nobody had asked for them when the transaction began.
    case notCaptured
    /// Another connection committed, or the outcome of one of our own commits is unknown.
    case elsewhere
    /// The schema was changed, or rows that cannot be reported.
    case unclear
}

extension ChangedRows {
    /// How many rows are known to have changed.
    var count: Int {
        guard case .known(let changes, _) = self else { return 0 }
        return changes.values.reduce(0) { $0 + $1.changes.count }
    }

    /// What became of the rows of one table; `nil` when it is not known.
    func changes(of table: String) -> TableChange? {
        guard case .known(let changes, let captured) = self, captured.contains(table) else { return nil }
        return changes[table].map { .rows($0) } ?? .nothing
    }
}

/// What a commit did to a table of which every change is known.
enum TableChange {
    case nothing
    case rows(TableChanges)
}

/// Of which tables rows are to be captured.
struct CaptureInterest: Sendable, Equatable {
    /// The tables of which somebody has to hear everything.
    var needed = DirtyTables.none
    /// The tables of which rows are of use while they are few: beyond a budget it costs less to read again.
    var useful: Set<String> = []

    static let none = CaptureInterest()
    static let all = CaptureInterest(needed: .all)
    static func tables(_ names: Set<String>) -> CaptureInterest { CaptureInterest(needed: .some(names)) }
    static func useful(_ names: Set<String>) -> CaptureInterest { CaptureInterest(useful: names) }

    var isEmpty: Bool { needed.isEmpty && useful.isEmpty }

    func union(_ other: CaptureInterest) -> CaptureInterest {
        var both = self
        both.needed.formUnion(other.needed)
        both.useful.formUnion(other.useful)
        return both
    }
}
