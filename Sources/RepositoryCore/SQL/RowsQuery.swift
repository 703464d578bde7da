/// A statement whose rows are decoded as values of one type.
public struct RowsQuery<Output: Sendable>: Sendable {
    package let sql: QuerySQL
    let read: @Sendable (RowSource) throws(RepositoryError) -> Output
    let readAll: @Sendable (any StoreStatement) throws(RepositoryError) -> [Output]
    let tables: [String]
    /// The parts of decoding that the statement does not show: decimal places, and columns' own functions.
    var decodingDetails: [String] = []
}
