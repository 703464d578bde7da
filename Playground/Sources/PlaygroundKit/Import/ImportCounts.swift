/// The numbers of rows that an import added, updated, left unchanged and rejected.
package struct ImportCounts: Equatable, Sendable {
    package var imported = 0
    package var updated = 0
    package var unchanged = 0
    package var rejected = 0

    /// Makes the counts of rows, which are zero by default.
    package init(imported: Int = 0, updated: Int = 0, unchanged: Int = 0, rejected: Int = 0) {
        (self.imported, self.updated, self.unchanged, self.rejected) = (imported, updated, unchanged, rejected)
    }

    /// The number of rows that have been handled.
    package var rows: Int { imported + updated + unchanged + rejected }

    /// The last line of an import.
    package var summary: String {
        "imported \(imported), updated \(updated), unchanged \(unchanged), rejected \(rejected)"
    }

    package static func + (left: Self, right: Self) -> Self {
        Self(
            imported: left.imported + right.imported, updated: left.updated + right.updated,
            unchanged: left.unchanged + right.unchanged, rejected: left.rejected + right.rejected)
    }
}
