/// The properties of an adopted table that affect how statements are written.
struct AdoptedTable: Sendable, Equatable {
    let description: TableDescription
    /// Whether the declaration has `ON CONFLICT` clauses that make a write replace or ignore rows instead of failing.
    var hasConflictClauses = false
    /// The columns of text properties that would convert a text to a number if it looks like one.
    var convertingColumns: Set<String> = []

    init(_ description: TableDescription) { self.description = description }
}
