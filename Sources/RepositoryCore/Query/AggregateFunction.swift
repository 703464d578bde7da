/// A function over all values of a column, such as a sum or an average.
///
/// Each function lists the aggregate terms that an engine computes, such as a count and a sum, and makes its result
/// from their values. Conditions, groups and live signals work alike for all functions. A new function is declared in
/// this file, and a new term in `AggregateTerm`.
///
/// ```swift
/// let gross = try await repository.aggregate(.sum, of: \Movie.boxOffice).value()
/// ```
public struct AggregateFunction<Value: Sendable, Output: Sendable & Equatable>: Sendable {
    let terms: [AggregateTerm]
    let output: @Sendable (AggregateRow) throws(RepositoryError) -> Output
    /// Whether two results are the same in the store.
    let isSame: @Sendable (Output, Output) -> Bool

    init(
        terms: [AggregateTerm], isSame: @escaping @Sendable (Output, Output) -> Bool = { $0 == $1 },
        _ output: @escaping @Sendable (AggregateRow) throws(RepositoryError) -> Output
    ) {
        self.terms = terms
        self.isSame = isSame
        self.output = output
    }

    @Sendable
    func areSame<Key: ColumnValue & Equatable>(
        _ left: [Grouped<Key, Output>], _ right: [Grouped<Key, Output>]
    ) -> Bool {
        left.count == right.count
            && zip(left, right).allSatisfy { Key.isSame($0.key, $1.key) && isSame($0.value, $1.value) }
    }
}

/// A figure that an engine computes over the values of a column, such as their sum; NULL is not a value.
package enum AggregateTerm: Sendable, Hashable {
    /// The number of rows.
    case rows
    /// The number of rows that have a value.
    case count
    case sum, minimum, maximum
    /// The number of infinite values.
    case infinities
}

extension AggregateFunction where Value == Never, Output == Int {
    package static var rows: Self {
        Self(terms: [.rows]) { row throws(RepositoryError) in try row.integer(.rows) }
    }
}

extension AggregateFunction where Value: ColumnValue, Output == Int {
    /// The number of values; `nil` does not count.
    public static var count: Self {
        Self(terms: [.count]) { row throws(RepositoryError) in try row.integer(.count) }
    }
}

extension AggregateFunction where Value: NumericValue, Output == Value.Sum {
    /// The exact sum; zero if there are no values.
    public static var sum: Self {
        Self(terms: [.sum]) { row throws(RepositoryError) in try row.sum(Value.self) }
    }
}

extension AggregateFunction where Value: NumericValue, Output == Value.Average? {
    /// The exact sum divided by the number of values; `nil` if there are no values.
    public static var average: Self {
        Self(terms: [.count, .sum]) { row throws(RepositoryError) in try row.average(Value.self) }
    }
}

extension AggregateFunction where Value: OrderedValue, Output == Value.Plain? {
    /// The least value; `nil` if there are no values.
    public static var min: Self {
        Self(terms: [.minimum], isSame: Output.isSame) { row throws(RepositoryError) in
            try row.value(.minimum, Value.Plain.self)
        }
    }

    /// The greatest value; `nil` if there are no values.
    public static var max: Self {
        Self(terms: [.maximum], isSame: Output.isSame) { row throws(RepositoryError) in
            try row.value(.maximum, Value.Plain.self)
        }
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

/// Summary figures for the numbers of a column, all from one state of the store.
public struct Summary<Value: NumericValue>: Sendable, Equatable {
    /// The number of values; `nil` does not count.
    public let count: Int
    /// The exact sum; zero if there are no values.
    public let sum: Value.Sum
    /// The sum divided by the count; `nil` if there are no values.
    public let average: Value.Average?
    /// The least value; `nil` if there are no values.
    public let min: Value.Plain?
    /// The greatest value; `nil` if there are no values.
    public let max: Value.Plain?
}

/// The result of an aggregate for the items with the same value in a column.
public struct Grouped<Key: Sendable & Equatable, Value: Sendable & Equatable>: Sendable, Equatable {
    /// The value that the items share; for an optional column, the shared value may be `nil`.
    public let key: Key
    /// The result of the aggregate for these items.
    public let value: Value

    /// Combines a key and a value.
    public init(key: Key, value: Value) {
        self.key = key
        self.value = value
    }
}
