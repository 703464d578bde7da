/// Counts what became of the rows of an import.
struct ImportCounts: Equatable, Sendable {
    var imported = 0
    var updated = 0
    var unchanged = 0
    var rejected = 0

    /// The rows that have been dealt with.
    var rows: Int { imported + updated + unchanged + rejected }

    /// The line with which an import ends.
    var summary: String {
        "imported \(imported), updated \(updated), unchanged \(unchanged), rejected \(rejected)"
    }

    static func + (left: Self, right: Self) -> Self {
        Self(
            imported: left.imported + right.imported, updated: left.updated + right.updated,
            unchanged: left.unchanged + right.unchanged, rejected: left.rejected + right.rejected)
    }
}
