import Foundation

/// What one commit did, as far as it is known: the one value from which live queries and change signals learn of it.
package struct CommitRecord: Sendable {
    /// Its number; those of a repository start at 1 when it is opened.
    package let number: Int
    /// Its author, as given to `Repository.transaction(author:_:)`.
    package var author: String?
    /// The time of the commit, by the clock of the repository.
    package let time: Date
    package let tables: DirtyTables
    package let rows: ChangedRows
}

/// A commit that the log has still to give its number.
package struct UnnumberedCommit: Sendable {
    package var author: String?
    package let tables: DirtyTables
    package let rows: ChangedRows
    /// The version of what was captured of it; `nil` where that is the same for all readers.
    package var captureVersion: Int?

    package init(author: String? = nil, tables: DirtyTables, rows: ChangedRows, captureVersion: Int? = nil) {
        (self.author, self.tables, self.rows, self.captureVersion) = (author, tables, rows, captureVersion)
    }

    /// A commit by another connection, whose changes are not known.
    package static let elsewhere = UnnumberedCommit(tables: .all, rows: .elsewhere)

    /// A commit to another file, which readers have attached.
    package static let beside = UnnumberedCommit(tables: .all, rows: .beside)

    /// Commits by other connections, of which the tables are known.
    package static func elsewhere(_ tables: Set<String>) -> UnnumberedCommit {
        UnnumberedCommit(tables: .some(tables), rows: .elsewhere)
    }
}

/// Which rows a commit changed, as far as it is known.
package enum ChangedRows: Sendable {
    /// The net changes by table, of those tables that were captured whole.
    case known([String: TableChanges], of: DirtyTables)
    /// Nobody had asked for them when the transaction began.
    case notCaptured
    /// Another connection committed, or the outcome of one of our own commits is unknown.
    case elsewhere
    /// The schema was changed, or rows that cannot be reported.
    case unclear
    /// None of the store: somebody has committed to a file that readers have attached.
    case beside
}

extension ChangedRows {
    /// How many rows are known to have changed.
    package var count: Int {
        guard case .known(let changes, _) = self else { return 0 }
        return changes.values.reduce(0) { $0 + $1.changes.count }
    }

    /// What became of the rows of one table; `nil` when it is not known.
    package func changes(of table: String) -> TableChange? {
        guard case .known(let changes, let captured) = self, captured.contains(table) else { return nil }
        return changes[table].map { .rows($0) } ?? .nothing
    }
}

/// What a commit did to a table of which every change is known.
package enum TableChange {
    case nothing
    case rows(TableChanges)
}

/// Of which tables rows are to be captured.
package struct CaptureInterest: Sendable, Equatable {
    /// The tables of which somebody has to hear everything.
    package var needed = DirtyTables.none
    /// The tables of which rows are of use while they are few: beyond a budget it costs less to read again.
    ///
    /// What they may weigh is what the changes of a table may in one transaction: a row is one, and one for each 2 KiB.
    package var useful: [String: Int] = [:]

    package static let none = CaptureInterest()
    package static let all = CaptureInterest(needed: .all)
    package static func tables(_ names: Set<String>) -> CaptureInterest { CaptureInterest(needed: .some(names)) }
    package static func useful(_ budgets: [String: Int]) -> CaptureInterest { CaptureInterest(useful: budgets) }
    package static func useful(_ names: Set<String>) -> CaptureInterest {
        CaptureInterest(useful: Dictionary(uniqueKeysWithValues: names.map { ($0, usualBudget) }))
    }

    /// What the changes of a table may weigh of which it is not known what reading again costs.
    package static let usualBudget = 4_096

    package var isEmpty: Bool { needed.isEmpty && useful.isEmpty }

    package func union(_ other: CaptureInterest) -> CaptureInterest {
        var both = self
        both.needed.formUnion(other.needed)
        both.useful.merge(other.useful, uniquingKeysWith: max)
        return both
    }
}
