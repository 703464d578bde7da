// Conditions on a term that are methods instead of comparison operators, and the operator `??`.

extension Term where Value: ColumnValue {
    /// Tests whether the term equals one of the values.
    ///
    /// There may be any number of values, and `nil` may be one of them.
    ///
    /// ```swift
    /// Movie.where { $0.studio.isIn(["Gramercy", "Miramax", nil]) }
    /// ```
    /// - Failure: More than 32,000 values of a type stored as REAL (`Double`, `Float`, `Date`) are an error, and so are
    ///   composite keys with more than 32,000 values in total.
    /// - Complexity: O(*n*) in the number of values. A term that is not a column is compared with each value.
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
    /// Tests whether the text of the term contains another text.
    ///
    /// A match consists of whole characters. The case of the letters A to Z is ignored; everything else is compared
    /// byte for byte.
    public func contains(_ text: String) -> Condition<Root> { test(.contains, text) }

    /// Tests whether the text of the term begins with another text.
    ///
    /// The case of the letters A to Z is ignored.
    public func hasPrefix(_ text: String) -> Condition<Root> { test(.prefix, text) }

    /// Tests whether the text of the term ends with another text.
    ///
    /// The case of the letters A to Z is ignored.
    public func hasSuffix(_ text: String) -> Condition<Root> { test(.suffix, text) }

    private func test(_ search: TextSearch, _ text: String) -> Condition<Root> {
        Condition { () throws(RepositoryError) in try value().test(search, text) }
    }
}

/// The value of a term, or a replacement if the term is `nil`.
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

/// The value of the left term, or of the right term if the left is `nil`.
///
/// The result is optional if the right term is.
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
