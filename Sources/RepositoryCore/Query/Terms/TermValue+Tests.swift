import Foundation

// Translates conditions on a term into `StoredTest`s.
extension TermValue {
    func truth() throws(RepositoryError) -> StoredTest {
        if case .column = term { return try test(.equal, true) }
        if case .test(let test) = term { return test }
        return .truth(term)
    }

    /// Compares the term with a value.
    ///
    /// If the column cannot hold the value exactly, `<` and `<=` use the next lower value that it can hold, and `>` and
    /// `>=` the next higher one.
    func test(_ comparison: Comparison, _ value: any ColumnValue) throws(RepositoryError) -> StoredTest {
        if let parts = column?.parts, !parts.isEmpty { return try test(comparison, id: value, parts) }
        let bound = try bound(of: value)
        if case .exact(let value) = bound { return test(comparison, stored: value) }
        switch comparison {
        case .equal: return .constant(false)
        case .notEqual: return .constant(true)
        case .less, .lessOrEqual:
            return bound.orBelow.map { test(.lessOrEqual, stored: $0) } ?? .constant(false)
        case .greater, .greaterOrEqual:
            return bound.orAbove.map { test(.greaterOrEqual, stored: $0) } ?? .constant(false)
        }
    }

    func test(_ comparison: Comparison, _ other: TermValue) throws(RepositoryError) -> StoredTest {
        try checkStoredAsOwnType()
        try other.checkStoredAsOwnType()
        let (left, right) = try Self.compared(self, other)
        return .terms(TermComparison(comparison, left, right), left.term, right.term)
    }

    /// Tests whether this key column equals `reference`, a column of another table that refers to rows of this table.
    func test(isReferredToBy reference: TermValue) throws(RepositoryError) -> StoredTest {
        try checkStoredAsOwnType()
        try reference.checkStoredAsOwnType()
        let (key, reference) = try Self.compared(self, reference)
        // A test for NULL is unnecessary, because NULL refers to no row. A plain `=` can use an index.
        return .terms(.plain(.equal), key.term, reference.term)
    }

    func test(isIn values: [any ColumnValue]) throws(RepositoryError) -> StoredTest {
        if values.isEmpty { try checkNotEncrypted() }
        if case .column(let stored) = term, column?.parts.isEmpty == true {
            var known: [SQLValue] = []
            known.reserveCapacity(values.count)
            for value in values {
                if case .exact(let value) = try bound(of: value) { known.append(value) }
            }
            return .membership(stored, known)
        }
        if let parts = column?.parts, !parts.isEmpty { return try test(ids: values, parts) }
        var tests: [StoredTest] = []
        for value in values { tests.append(try test(.equal, value)) }
        return tests.isEmpty ? .constant(false) : .any(tests)
    }

    /// Tests that the columns of a composite key have the values of one of the ids.
    private func test(ids: [any ColumnValue], _ parts: [TermColumn.Part]) throws(RepositoryError) -> StoredTest {
        var (rows, tests): ([[SQLValue]], [StoredTest]) = ([], [])
        for value in ids {
            guard case .all(let columns) = try test(.equal, id: value, parts) else {
                // The value is `nil`, or an id that the columns cannot hold.
                tests.append(try test(.equal, id: value, parts))
                continue
            }
            rows.append(
                columns.compactMap { test in if case .comparison(_, _, let value) = test { value } else { nil } })
        }
        if !rows.isEmpty { tests.append(.rows(parts.map(\.column), rows)) }
        return tests.isEmpty ? .constant(false) : .any(of: tests)
    }

    /// Tests that the term is in a range, both bounds included.
    func test(from lower: any ColumnValue, to upper: any ColumnValue) throws(RepositoryError) -> StoredTest {
        guard case .column(let stored) = term else {
            return .all([try test(.greaterOrEqual, lower), try test(.lessOrEqual, upper)])
        }
        guard let least = try bound(of: lower).orAbove, let greatest = try bound(of: upper).orBelow else {
            return .constant(false)
        }
        return .range(stored, least, greatest)
    }

    func test(_ search: TextSearch, _ text: String) throws(RepositoryError) -> StoredTest {
        try checkNotEncrypted()
        guard storageClass == .text, column?.parts.isEmpty != false else {
            throw .misuse(detail: "\(column?.name ?? "the expression") is not stored as text and cannot be searched")
        }
        guard text.utf8.count <= SQLText.maxBytes else {
            throw .tooBig(
                detail: "the search text has \(text.utf8.count) bytes, more than the limit of \(SQLText.maxBytes)")
        }
        if case .operation(let operation, _) = term, operation.isOrder {
            throw .misuse(detail: "text with another order cannot be searched: search the text itself")
        }
        let pattern = TextSearch.pattern(text)
        if case .column(let stored) = term { return .search(stored, search, pattern) }
        return .truth(.operation(.search(search), [term, .constant(.blob(pattern))]))
    }

    private func test(_ comparison: Comparison, stored value: SQLValue) -> StoredTest {
        if case .column(let column) = term { return .comparison(column, comparison, value) }
        let constant = TermValue(.constant(value), isOptional: value == .null, storageClass)
        return .terms(TermComparison(comparison, self, constant), term, constant.term)
    }

    /// Compares the columns of a composite key with the parts of an id.
    private func test(
        _ comparison: Comparison, id value: any ColumnValue, _ parts: [TermColumn.Part]
    ) throws(RepositoryError) -> StoredTest {
        guard comparison == .equal || comparison == .notEqual else {
            _ = try bound(of: value)
            return .constant(false)
        }
        guard let id = value as? any CompositeID else {
            // The value is `nil`. A part of a key is NULL only if the item is missing, so testing one part is enough.
            return .comparison(parts[0].column, comparison, .null)
        }
        var tests: [StoredTest] = []
        for ((column, bound), value) in zip(parts, id.parts) {
            guard case .exact(let stored) = try bound(value) else { return .constant(comparison == .notEqual) }
            tests.append(.comparison(column, .equal, stored))
        }
        return comparison == .equal ? .all(tests) : .not(.all(tests))
    }

    static func aligned(
        _ left: TermValue, _ right: TermValue, _ check: (StoredTerm) -> StoredTerm = { .checked($0) }
    ) throws(RepositoryError) -> (left: TermValue, right: TermValue) {
        guard left.storageClass != .blob || left.scale == right.scale else {
            try left.checkStoredAsOwnType()
            try right.checkStoredAsOwnType()
            throw .misuse(
                detail: "the numbers of components of two terms differ: \(left.scale) and \(right.scale)")
        }
        let scale = Swift.max(left.scale, right.scale)
        return (try left.scaled(to: scale, check), try right.scaled(to: scale, check))
    }

    /// Gives two numbers the same number of decimal places, so that they can be compared.
    ///
    /// A number that then exceeds 64 bits counts as infinite, so it is still less or greater than the other number.
    private static func compared(
        _ left: TermValue, _ right: TermValue
    ) throws(RepositoryError) -> (left: TermValue, right: TermValue) {
        try aligned(left, right) { .operation(.saturated, [$0]) }
    }

    func scaled(
        to scale: Int, _ check: (StoredTerm) -> StoredTerm = { .checked($0) }
    ) throws(RepositoryError) -> TermValue {
        guard scale > self.scale else { return self }
        let factor = (self.scale..<scale).reduce(into: Int64(1)) { factor, _ in factor *= 10 }
        return try TermValue(
            check(.operation(.arithmetic(.times), [term, .constant(.integer(factor))])), of: [self],
            isOptional: isOptional, storageClass,
            scale: scale)
    }
}
