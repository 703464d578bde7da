/// What is computed from all values of a column: a sum, an average and so on.
///
/// Each function says which terms an engine computes and how the result is made from them; the engine does the rest the
/// same way for all of them: conditions, groups, live signals. To add one, add it here; if it needs something new to be
/// computed, that is another term, which `SQL/` spells.
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

/// What an engine computes over the values of a column; NULL is not a value.
package enum AggregateTerm: Sendable, Hashable {
    /// How many rows there are.
    case rows
    /// How many of them have a value.
    case count
    case sum, minimum, maximum
    /// How many of the values are infinite.
    case infinities
}

extension AggregateFunction where Value == Never, Output == Int {
    package static var rows: Self {
        Self(terms: [.rows]) { row throws(RepositoryError) in try row.integer(.rows) }
    }
}

extension AggregateFunction where Value == Never, Output == Bool {
    package static var any: Self {
        Self(terms: [.rows]) { row throws(RepositoryError) in try row.integer(.rows) > 0 }
    }
}

extension AggregateFunction where Value: ColumnValue, Output == Int {
    /// The number of values; `nil` does not count.
    public static var count: Self {
        Self(terms: [.count]) { row throws(RepositoryError) in try row.integer(.count) }
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
        Self(terms: [.minimum], isSame: Output.isSame) { row throws(RepositoryError) in
            try row.value(.minimum, Value.Plain.self)
        }
    }

    /// The greatest value; `nil` when there is none.
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
    /// How many values there are; `nil` does not count.
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

/// The result for the items with the same value in a column.
public struct Grouped<Key: Sendable & Equatable, Value: Sendable & Equatable>: Sendable, Equatable {
    /// The value that the items have in common; `nil` is one such value for an optional column.
    public let key: Key
    /// The result for the items.
    public let value: Value

    /// Combines a key and a value.
    public init(key: Key, value: Value) {
        self.key = key
        self.value = value
    }
}
