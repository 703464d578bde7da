/// Counts what became of the rows of an import.
package struct ImportCounts: Equatable, Sendable {
    package var imported = 0
    package var updated = 0
    package var unchanged = 0
    package var rejected = 0

    /// Makes the counts of rows; by default there were none.
    package init(imported: Int = 0, updated: Int = 0, unchanged: Int = 0, rejected: Int = 0) {
        (self.imported, self.updated, self.unchanged, self.rejected) = (imported, updated, unchanged, rejected)
    }

    /// The rows that have been dealt with.
    package var rows: Int { imported + updated + unchanged + rejected }

    /// The line with which an import ends.
    package var summary: String {
        "imported \(imported), updated \(updated), unchanged \(unchanged), rejected \(rejected)"
    }

    package static func + (left: Self, right: Self) -> Self {
        Self(
            imported: left.imported + right.imported, updated: left.updated + right.updated,
            unchanged: left.unchanged + right.unchanged, rejected: left.rejected + right.rejected)
    }
}
