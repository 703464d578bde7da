// Aggregates of a term over the rows of a group. Where a query allows aggregates (in `aggregate`, in `having` and in
// the order of groups), they can be compared and used in computations like other terms.
//
// Each aggregate can have a condition, so that one statement can aggregate several sets of rows.

extension Term where Value: ColumnValue {
    /// Counts the values, or the distinct values; `nil` does not count.
    ///
    /// To count the rows that meet a condition, pass it as `where:`.
    ///
    /// ```swift
    /// let counts = Movie.all.aggregate { ($0.id.count(), $0.id.count(where: $0.boxOffice > 1_000_000)) }
    /// ```
    /// - Failure: `.misuse` if the term is a condition and `distinct` is false: true and false are both values, so all
    ///   rows would count.
    public func count(distinct: Bool = false, where condition: Term<Root, Bool>? = nil) -> Term<Groups<Root>, Int> {
        // Encrypted values can be counted, because counting does not read them.
        over(condition, isOpaqueAllowed: !distinct) { value, filtered throws(RepositoryError) in
            if case .test = value.term, !distinct {
                throw .misuse(
                    detail: "count() of a condition counts every row, whether it holds or not: use count(where:)")
            }
            // If each row has a value, it is enough to count the rows, without reading the values.
            let isInEachRow = if case .column = value.term { !value.isOptional && !distinct } else { false }
            let counted = isInEachRow ? [] : [distinct ? .distinct(value.term) : value.term]
            return TermValue(filtered(.count, counted), isOptional: false, .integer, depth: value.depth + 1)
        }
    }
}

extension Term where Value: ArithmeticValue {
    /// Computes the sum over all rows, or over the rows that meet a condition; zero if there are no values.
    ///
    /// On SQLite, the sum of floating-point numbers is exact and rounded once, so it does not depend on their order. On
    /// PostgreSQL, it is rounded after each number, in any order.
    ///
    /// ```swift
    /// let gross = Movie.all.grouped { $0.releaseDate.year() }
    ///     .aggregate { ($0.boxOffice.sum(), $0.boxOffice.sum(where: $0.studio == nil)) }
    /// ```
    public func sum(where condition: Term<Root, Bool>? = nil) -> Term<Groups<Root>, Value.Sum> {
        over(condition) { value, filtered in
            let sum = filtered(value.storageClass == .real ? .total : .sum, [value.term])
            return TermValue(
                value.storageClass == .real ? sum : .operation(.coalesced, [sum, .constant(.integer(0))]),
                isOptional: false, value.storageClass, scale: value.scale,
                mayBeNaN: value.storageClass == .real, depth: value.depth + 2)
        }
    }

    /// Computes the average as a floating-point number; `nil` if there are no values.
    ///
    /// The average of integers is their exact sum divided by their number. For the exact average of decimal numbers,
    /// use `average(of:)` of a repository.
    public func average(where condition: Term<Root, Bool>? = nil) -> Term<Groups<Root>, Double?>
    where Value.Average == Double {
        over(condition) { value, filtered in
            TermValue(
                filtered(value.storageClass == .real ? .mean : .average, [value.term]), isOptional: true, .real,
                depth: value.depth + 1)
        }
    }
}

extension Term where Value: OrderedValue {
    /// Finds the least value of all rows, or of the rows that meet a condition; `nil` if there are no values.
    public func min(where condition: Term<Root, Bool>? = nil) -> Term<Groups<Root>, Value.Plain?> {
        extreme(.minimum, condition)
    }

    /// Finds the greatest value of all rows, or of the rows that meet a condition; `nil` if there are no values.
    public func max(where condition: Term<Root, Bool>? = nil) -> Term<Groups<Root>, Value.Plain?> {
        extreme(.maximum, condition)
    }

    private func extreme(
        _ function: Operation, _ condition: Term<Root, Bool>?
    ) -> Term<Groups<Root>, Value.Plain?> {
        over(condition) { value, filtered in
            TermValue(
                filtered(function, [value.term]), isOptional: true, value.storageClass, scale: value.scale,
                depth: value.depth + 1)
        }
    }
}

extension Term {
    /// Makes an aggregate of the term; `filtered` applies a function to the rows that meet the condition.
    fileprivate func over<Output>(
        _ condition: Term<Root, Bool>?,
        isOpaqueAllowed: Bool = false,
        _ make: (
            _ value: TermValue, _ filtered: (Operation, [StoredTerm]) -> StoredTerm
        ) throws(RepositoryError) -> TermValue
    ) -> Term<Groups<Root>, Output> {
        Term<Groups<Root>, Output> { () throws(RepositoryError) in
            let value = try value()
            if !isOpaqueAllowed || value.column?.isOpaque != true { try value.checkStoredAsOwnType() }
            let test = try condition?.stored()
            // Checks the depth of the condition.
            if let test { _ = try TermValue(of: test) }
            return try make(value) { function, arguments in
                test.map { .filtered(function, arguments, $0) } ?? .operation(function, arguments)
            }
        }
    }
}
