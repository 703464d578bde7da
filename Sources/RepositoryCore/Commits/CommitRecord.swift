import Foundation

/// The effect of one commit, as far as it is known: the only source for live queries and change signals.
package struct CommitRecord: Sendable {
    /// The number of the commit; a repository counts from 1 when it is opened.
    package let number: Int
    /// Its author, as given to `Repository.transaction(author:_:)`.
    package var author: String?
    /// The time of the commit, by the clock of the repository.
    package let time: Date
    package let tables: DirtyTables
    package let rows: ChangedRows
}

/// A commit that the log has not numbered yet.
package struct UnnumberedCommit: Sendable {
    package var author: String?
    package let tables: DirtyTables
    package let rows: ChangedRows
    /// The capture version when its transaction began; `nil` if all readers receive the commit.
    package var captureVersion: Int?

    package init(author: String? = nil, tables: DirtyTables, rows: ChangedRows, captureVersion: Int? = nil) {
        (self.author, self.tables, self.rows, self.captureVersion) = (author, tables, rows, captureVersion)
    }

    /// A commit by another connection, whose changes are unknown.
    package static let external = UnnumberedCommit(tables: .all, rows: .external)

    /// A commit to an attached database.
    package static let attached = UnnumberedCommit(tables: .all, rows: .attached)

    /// Commits by other connections, whose tables are known.
    package static func external(_ tables: Set<String>) -> UnnumberedCommit {
        UnnumberedCommit(tables: .some(tables), rows: .external)
    }
}

/// The rows that a commit changed, as far as they are known.
package enum ChangedRows: Sendable {
    /// The net changes by table, for the tables that were captured completely.
    case known([String: TableChanges], of: DirtyTables)
    /// No reader was interested in rows when the transaction began.
    case notCaptured
    /// Another connection committed, or the outcome of one of our own commits is unknown.
    case external
    /// The schema changed, or rows changed that cannot be reported.
    case unknown
    /// No rows of the store: another connection committed to an attached database.
    case attached
}

extension ChangedRows {
    /// The number of rows that are known to have changed.
    package var count: Int {
        guard case .known(let changes, _) = self else { return 0 }
        return changes.values.reduce(0) { $0 + $1.changes.count }
    }

    /// The changes to the rows of one table; `nil` if they are unknown.
    package func changes(of table: String) -> TableChange? {
        guard case .known(let changes, let captured) = self, captured.contains(table) else { return nil }
        return changes[table].map { .rows($0) } ?? .nothing
    }
}

/// The effect of a commit on a table whose changes are all known.
package enum TableChange {
    case nothing
    case rows(TableChanges)
}

/// The tables whose changed rows are to be captured.
package struct CaptureInterest: Sendable, Equatable {
    /// The tables whose changed rows a reader must receive completely.
    package var needed = DirtyTables.none
    /// The tables whose rows are useful while they are few, each with its budget: beyond it, a re-read costs less.
    ///
    /// A budget bounds the weight of a table's changes in one transaction: a row weighs one, plus one for each 2 KiB.
    package var useful: [String: Int] = [:]

    package static let none = CaptureInterest()
    package static let all = CaptureInterest(needed: .all)
    package static func tables(_ names: Set<String>) -> CaptureInterest { CaptureInterest(needed: .some(names)) }
    package static func useful(_ budgets: [String: Int]) -> CaptureInterest { CaptureInterest(useful: budgets) }
    package static func useful(_ names: Set<String>) -> CaptureInterest {
        CaptureInterest(useful: Dictionary(uniqueKeysWithValues: names.map { ($0, usualBudget) }))
    }

    /// The budget of a table for which the cost of a re-read is unknown.
    package static let usualBudget = 4_096

    package var isEmpty: Bool { needed.isEmpty && useful.isEmpty }

    package func union(_ other: CaptureInterest) -> CaptureInterest {
        var both = self
        both.needed.formUnion(other.needed)
        both.useful.merge(other.useful, uniquingKeysWith: max)
        return both
    }
}
