/// A statement whose rows are decoded as values of one type.
public struct RowsQuery<Output: Sendable>: Sendable {
    package let sql: QuerySQL
    let read: @Sendable (RowSource) throws(RepositoryError) -> Output
    let readAll: @Sendable (any StoreStatement) throws(RepositoryError) -> [Output]
    let tables: [String]
    /// The details of decoding that do not appear in the SQL: decimal places, and columns with custom decoding.
    var decodingDetails: [String] = []
}
