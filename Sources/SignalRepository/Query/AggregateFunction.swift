/// What is made of all values of a column: a sum, an average and so on.
///
/// Each function says which terms SQLite computes and what is made of them; the engine does the rest for all of them
/// alike: conditions, groups, live signals. To add one, add it here; what SQLite has to compute for it and nothing here
/// does yet is a term of its own, which is a line here too.
///
/// ```swift
/// let gross = try await repository.aggregate(.sum, of: \Movie.boxOffice).first()
/// ```
public struct AggregateFunction<Value: Sendable, Output: Sendable & Equatable>: Sendable {
    let terms: [AggregateTerm]
    let output: @Sendable (AggregateRow) throws(RepositoryError) -> Output
}

/// What SQLite computes over the values of a column, as a call around the column's name; NULL is no value.
struct AggregateTerm: Sendable, Hashable, CustomStringConvertible {
    static let rows = AggregateTerm("count(*)")
    static let count = AggregateTerm("count(", ")")
    static let sum = AggregateTerm("sum(", ")")
    static let minimum = AggregateTerm("min(", ")")
    static let maximum = AggregateTerm("max(", ")")

    /// The call up to the column; all of it when it takes none.
    let before: StaticString
    let after: StaticString?
    /// The call without its column: what makes two terms the same.
    let description: String

    init(_ before: StaticString, _ after: StaticString? = nil) {
        self.before = before
        self.after = after
        description = before.description + (after.map { "…" + $0.description } ?? "")
    }

    static func == (left: Self, right: Self) -> Bool { left.description == right.description }

    func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

extension AggregateFunction where Value == Never, Output == Int {
    /// The number of rows.
    static var rows: Self {
        Self(terms: [.rows]) { row throws(RepositoryError) in try row.integer(.rows) }
    }
}

extension AggregateFunction where Value: NumericValue, Output == Value.Sum {
    /// The exact sum; zero when there is no value.
    public static var sum: Self {
        Self(terms: [.sum]) { row throws(RepositoryError) in try row.sum(Value.self) }
    }
}

extension AggregateFunction where Value: NumericValue, Output == Value.Average? {
    /// The exact sum divided by the number of values; `nil` when there is none.
    public static var average: Self {
        Self(terms: [.count, .sum]) { row throws(RepositoryError) in try row.average(Value.self) }
    }
}

extension AggregateFunction where Value: OrderedValue, Output == Value.Plain? {
    /// The least value; `nil` when there is none.
    public static var min: Self {
        Self(terms: [.minimum]) { row throws(RepositoryError) in try row.value(.minimum, Value.Plain.self) }
    }

    /// The greatest value; `nil` when there is none.
    public static var max: Self {
        Self(terms: [.maximum]) { row throws(RepositoryError) in try row.value(.maximum, Value.Plain.self) }
    }
}

extension AggregateFunction where Value: NumericValue, Output == Summary<Value> {
    /// Count, sum, average, least and greatest value, in one statement.
    public static var summary: Self {
        Self(terms: [.count, .sum, .minimum, .maximum]) { row throws(RepositoryError) in
            Summary(
                count: try row.integer(.count), sum: try row.sum(Value.self), average: try row.average(Value.self),
                min: try row.value(.minimum, Value.Plain.self), max: try row.value(.maximum, Value.Plain.self))
        }
    }
}

/// Everything about the numbers of a column that belongs to one state of the store.
public struct Summary<Value: NumericValue>: Sendable, Equatable {
    /// How many values there are; `nil` is none.
    public let count: Int
    /// Their exact sum; zero when there are none.
    public let sum: Value.Sum
    /// The sum divided by the count; `nil` when there are none.
    public let average: Value.Average?
    /// The least value; `nil` when there are none.
    public let min: Value.Plain?
    /// The greatest value; `nil` when there are none.
    public let max: Value.Plain?
}

/// What is made of the items that have the same value of a column.
public struct Grouped<Key: Sendable & Equatable, Value: Sendable & Equatable>: Sendable, Equatable {
    /// The value that the items have in common; `nil` is one of them for an optional column.
    public let key: Key
    /// What was made of the items.
    public let value: Value

    /// Puts a key and a value together.
    public init(key: Key, value: Value) {
        self.key = key
        self.value = value
    }
}
