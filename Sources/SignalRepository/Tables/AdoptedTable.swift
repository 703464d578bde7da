/// The properties of an adopted table that affect how statements are written.
struct AdoptedTable: Sendable, Equatable {
    let description: TableDescription
    /// Whether the declaration has `ON CONFLICT` clauses that make a write replace or ignore rows instead of failing.
    var hasConflictClauses = false
    /// The columns that hold text properties, but would convert a text that looks like a number to a number.
    var convertingColumns: Set<String> = []

    init(_ description: TableDescription) { self.description = description }
}
