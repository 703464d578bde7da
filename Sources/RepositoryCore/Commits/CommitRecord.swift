import Foundation

/// The known effects of one commit: all that live queries and `changes` signals learn about it.
package struct CommitRecord: Sendable {
    /// The number of the commit; a repository numbers its commits from 1 each time that it is opened.
    package let number: Int
    /// The author of the commit, as passed to `Repository.transaction(author:_:)`.
    package var author: String?
    /// The time of the commit, by the clock of the repository.
    package let time: Date
    package let tables: DirtyTables
    package let rows: ChangedRows
}

/// A commit that the commit log has not numbered yet.
package struct UnnumberedCommit: Sendable {
    package var author: String?
    package let tables: DirtyTables
    package let rows: ChangedRows
    /// The version in `CommitLog.capture` when the transaction began; `nil` if every `LogReader` gets the commit.
    package var captureVersion: Int?

    package init(author: String? = nil, tables: DirtyTables, rows: ChangedRows, captureVersion: Int? = nil) {
        (self.author, self.tables, self.rows, self.captureVersion) = (author, tables, rows, captureVersion)
    }

    /// A commit by another connection, with unknown changes.
    package static let external = UnnumberedCommit(tables: .all, rows: .external)

    /// A commit to an attached database.
    package static let attached = UnnumberedCommit(tables: .all, rows: .attached)

    /// Creates a commit by other connections, with unknown changes to the given tables.
    package static func external(_ tables: Set<String>) -> UnnumberedCommit {
        UnnumberedCommit(tables: .some(tables), rows: .external)
    }
}

/// The rows that a commit changed, as far as they are known.
package enum ChangedRows: Sendable {
    /// The net changes by table; `of` lists the tables whose changes were all captured.
    case known([String: TableChanges], of: DirtyTables)
    /// When the transaction began, no live query or `changes` signal wanted changed rows captured.
    case notCaptured
    /// Another connection committed, or a commit of this repository has an unknown outcome.
    case external
    /// The commit changed the schema, or rows that the engine cannot report.
    case unknown
    /// Another connection committed to an attached database; no rows of this store changed.
    case attached
}

extension ChangedRows {
    /// The number of rows that are known to have changed.
    package var count: Int {
        guard case .known(let changes, _) = self else { return 0 }
        return changes.values.reduce(0) { $0 + $1.changes.count }
    }

    /// Returns the changes to the rows of one table; `nil` if they are unknown.
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

/// The tables whose changed rows live queries and `changes` signals want captured.
package struct CaptureInterest: Sendable, Equatable {
    /// The tables whose changed rows must all be captured.
    package var needed = DirtyTables.none
    /// The tables whose changed rows are captured only up to a budget; above it, re-reading the queries costs less.
    ///
    /// The budget limits the total weight of the table's changes in one transaction; see `ChangeJournal.append`.
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
