/// A statement whose rows are values of one type: what a query of rows comes to.
public struct RowsQuery<Output: Sendable>: Sendable {
    let sql: QuerySQL
    let read: @Sendable (RowSource) throws(RepositoryError) -> Output
    let readAll: @Sendable (any StoreStatement) throws(RepositoryError) -> [Output]
    let tables: [String]
    /// How values are read that the statement does not tell apart: their decimal places, and columns' own functions.
    var forms: [String] = []
}
