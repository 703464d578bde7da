// What is computed of a term over the rows of a group. Such terms can be compared and computed with as others can,
// where a query takes them: in `aggregate`, in `having`, and in the order of groups.

extension Term where Value: ColumnValue {
    /// The number of values, or of different ones; `nil` does not count.
    ///
    /// - Failure: `.misuse` for a condition, which is true or false in every row.
    public func count(distinct: Bool = false) -> Term<Groups<Root>, Int> {
        over { value throws(RepositoryError) in
            if case .test = value.term, !distinct {
                throw .misuse(
                    detail: "count() of a condition counts every row, whether it holds or not: use count(where:)")
            }
            // The rows are counted, which need not be read, where each has a value.
            let isInEachRow = if case .column = value.term { !value.isOptional && !distinct } else { false }
            let counted = isInEachRow ? [] : [distinct ? .distinct(value.term) : value.term]
            return TermValue(.call("count", counted), isOptional: false, .integer, depth: value.depth + 1)
        }
    }
}

extension Term where Value: ArithmeticValue {
    /// The sum; zero when there is no value.
    ///
    /// Floating-point numbers are added in the order of the rows.
    public func sum() -> Term<Groups<Root>, Value.Sum> {
        over { value in
            let sum = StoredTerm.call(value.storageClass == .real ? "total" : "sum", [value.term])
            return TermValue(
                value.storageClass == .real ? sum : .call("coalesce", [sum, .constant(.integer(0))]),
                isOptional: false, value.storageClass, scale: value.scale,
                mayBeNaN: value.storageClass == .real, depth: value.depth + 2)
        }
    }

    /// The average as a floating-point number, as SQLite computes it; `nil` when there is no value.
    ///
    /// For the exact average of decimal numbers there is `average(of:)` of a repository.
    public func average() -> Term<Groups<Root>, Double?> where Value.Average == Double {
        over { value in TermValue(.call("avg", [value.term]), isOptional: true, .real, depth: value.depth + 1) }
    }
}

extension Term where Value: OrderedValue {
    /// The least value; `nil` when there is none.
    public func min() -> Term<Groups<Root>, Value.Plain?> { extreme("min") }
    /// The greatest value; `nil` when there is none.
    public func max() -> Term<Groups<Root>, Value.Plain?> { extreme("max") }

    private func extreme(_ function: StaticString) -> Term<Groups<Root>, Value.Plain?> {
        over { value in
            TermValue(
                .call(function, [value.term]), isOptional: true, value.storageClass, scale: value.scale,
                depth: value.depth + 1)
        }
    }
}

extension Term {
    fileprivate func over<Output>(
        _ make: (TermValue) throws(RepositoryError) -> TermValue
    ) -> Term<Groups<Root>, Output> {
        Term<Groups<Root>, Output> { () throws(RepositoryError) in
            let value = try value()
            try value.checkPlain()
            return try make(value)
        }
    }
}
