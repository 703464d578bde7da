/// The columns of a table that may have been renamed.
///
/// An old and a new column match if they have the same type, meaning and reference. A key or a computed column matches
/// nothing, and an old optional column matches only optional columns.
struct ColumnRenames {
    /// The stored columns that are not declared, and the declared columns that are not stored.
    let (dropped, added): ([ColumnShape], [ColumnShape])

    init(declared: [ColumnShape], stored: [ColumnShape]) {
        let names = (declared: Set(declared.map(\.name)), stored: Set(stored.map(\.name)))
        dropped = stored.filter { !names.declared.contains($0.name) }
        added = declared.filter { !names.stored.contains($0.name) }
    }

    func oldNames(of column: ColumnShape) -> [String] {
        dropped.filter { Self.isPossible($0, column) }.map(\.name)
    }

    func newNames(of column: ColumnShape) -> [String] {
        added.filter { Self.isPossible(column, $0) }.map(\.name)
    }

    /// Returns the source text of a step that renames a column, with "…" for an ambiguous name; `nil` if no stored
    /// column matches.
    func step(to column: ColumnShape, of table: String) -> String? {
        let candidates = dropped.filter { Self.isPossible($0, column) }
        guard let old = candidates.first else { return nil }
        let isOnly = candidates.allSatisfy { newNames(of: $0).count == 1 }
        return Self.step(candidates.count == 1 ? old.name : nil, to: isOnly ? column.name : nil, of: table)
    }

    static func step(_ old: String?, to new: String?, of table: String) -> String {
        "try store.renameColumn(\"\(old ?? "…")\", to: \"\(new ?? "…")\", of: \"\(table)\")"
    }

    private static func isPossible(_ old: ColumnShape, _ new: ColumnShape) -> Bool {
        !old.isKey && !new.isKey && old.computation == nil && new.computation == nil && old.type == new.type
            && ColumnMeaning.agree(old.meaning, new.meaning) && old.reference == new.reference
            && (new.isOptional || !old.isOptional)
    }
}
