// The conditions on terms that have a name instead of an operator.

extension Term where Value: ColumnValue {
    /// Tests that the term has one of the values, of which there may be any number; `nil` may be one of them.
    ///
    /// ```swift
    /// Movie.where { $0.studio.isIn(["Gramercy", "Miramax", nil]) }
    /// ```
    /// - Failure: More than 32,000 values of a type stored as REAL (`Double`, `Float`, `Date`) are an error, and so are
    ///   composite keys with more than 32,000 values in total.
    /// - Complexity: O(*n*) in the number of values. A term that is not a column is compared with each of them.
    public func isIn(_ values: some Sequence<Value>) -> Condition<Root> {
        let values = values.map { $0 as any ColumnValue }
        return Condition { () throws(RepositoryError) in try value().test(isIn: values) }
    }
}

extension Term where Value: OrderedValue {
    /// Tests that the term lies in a closed range, both bounds included.
    public func between(_ range: ClosedRange<Value.Plain>) -> Condition<Root> where Value.Plain: Comparable {
        Condition { () throws(RepositoryError) in
            try value().test(from: range.lowerBound, to: range.upperBound)
        }
    }
}

extension Term where Value: ColumnValue, Value.Plain == String {
    /// Tests that a text contains another.
    ///
    /// A match consists of whole characters. The case of the letters A to Z is ignored; everything else is compared
    /// byte for byte.
    public func contains(_ text: String) -> Condition<Root> { test(.contains, text) }

    /// Tests that a text begins with another.
    ///
    /// The case of the letters A to Z is ignored.
    public func hasPrefix(_ text: String) -> Condition<Root> { test(.prefix, text) }

    /// Tests that a text ends with another.
    ///
    /// The case of the letters A to Z is ignored.
    public func hasSuffix(_ text: String) -> Condition<Root> { test(.suffix, text) }

    private func test(_ search: TextSearch, _ text: String) -> Condition<Root> {
        Condition { () throws(RepositoryError) in try value().test(search, text) }
    }
}

/// The value of a term, or another value if it is `nil`.
public func ?? <Root, Value: ColumnValue>(left: Term<Root, Value?>, right: Value) -> Term<Root, Value> {
    Term { () throws(RepositoryError) in
        let value = try left.value()
        guard case .exact(let stored) = try value.bound(of: right) else {
            throw .misuse(detail: "the column cannot hold the value after ??")
        }
        let constant = TermValue(.constant(stored), isOptional: false, value.storageClass, scale: value.scale)
        return try value.coalesced(constant)
    }
}

/// The value of a term, or of another term if it is `nil`; the result is optional if the other term is.
public func ?? <Root, Value: ColumnValue, Other: ColumnValue>(
    left: Term<Root, Value?>, right: Term<Root, Other>
) -> Term<Root, Other> where Other.Plain == Value.Plain {
    Term { () throws(RepositoryError) in
        let (left, right) = try TermValue.aligned(try left.value(), try right.value())
        return try left.coalesced(right)
    }
}

extension TermValue {
    func coalesced(_ other: TermValue) throws(RepositoryError) -> TermValue {
        try TermValue(
            .operation(.coalesced, [term, other.term]), of: [self, other], isOptional: other.isOptional, storageClass,
            scale: scale)
    }
}
