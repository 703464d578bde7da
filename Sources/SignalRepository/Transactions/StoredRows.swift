/// Rows with their values as they are stored, by which they are compared: a tuple has no equality of its own.
struct StoredRows<Output: Sendable>: Sendable, Equatable {
    var rows: [Output] = []
    var values: [[SQLValue]] = []

    static func == (left: Self, right: Self) -> Bool { left.values == right.values }
}
