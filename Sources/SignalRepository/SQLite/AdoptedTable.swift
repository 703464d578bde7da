/// A table of a file that something else has made, as statements need to know it.
struct AdoptedTable: Sendable, Equatable {
    let description: TableDescription
    /// Whether clauses of its declaration would have a write replace or ignore rows instead of failing.
    var hasConflictClauses = false
    /// The columns of texts that make numbers of those that look like one.
    var convertingColumns: Set<String> = []

    init(_ description: TableDescription) { self.description = description }
}
