/// A statement whose rows are values of one type: what every query comes to.
struct RowsQuery<Output: Sendable>: Sendable {
    let sql: QuerySQL
    let read: @Sendable (RowSource) throws(RepositoryError) -> Output
    let readAll: @Sendable (any StoreStatement) throws(RepositoryError) -> [Output]
    /// The names of the tables.
    let tables: [String]
    /// How values are read that the statement does not tell apart: their decimal places, and columns' own functions.
    var forms: [String] = []
}

extension FetchQuery {
    /// The statement of the query.
    var rows: RowsQuery<Root> {
        let source = Root.fetchSource
        return RowsQuery(
            sql: QuerySQL { dialect throws(RepositoryError) in try dialect.select(self) }, read: source.read,
            readAll: source.readAll, tables: source.tables.names)
    }
}

extension SelectQuery {
    /// The statement of the query.
    var rows: RowsQuery<Output> {
        var tables: [String] = []
        var forms: [String] = []
        if case .success(let statement) = statement {
            tables = statement.tables.names
            forms = statement.outputs.map { output in
                "\(output.scale) \(output.column.map { $0.isPlain ? "" : $0.name } ?? "")"
            }
        }
        return RowsQuery(
            sql: QuerySQL { [statement] dialect throws(RepositoryError) in try dialect.select(try statement.get()) },
            read: read,
            readAll: { [read] statement throws(RepositoryError) in try statement.readAll(read) }, tables: tables,
            forms: forms)
    }
}
