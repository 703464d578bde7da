/// Rows with their stored values.
///
/// The stored values are compared, because tuples are not `Equatable`.
struct StoredRows<Output: Sendable>: Sendable, Equatable {
    var rows: [Output] = []
    var values: [[SQLValue]] = []

    static func == (left: Self, right: Self) -> Bool { left.values == right.values }
}
