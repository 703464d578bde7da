/// A new value for a property, given by its key path, of every item that a batch update changes.
///
/// ```swift
/// let renamed = repository.update(
///     Movie.self, set: [.set(\.studio, to: "Miramax"), .set(\.boxOffice, to: 0)]) { $0.studio == "Gramercy" }
/// ```
/// - Failure: The endpoint that uses the assignment fails with a typed error for a key path that the entity's schema
///   does not declare, and for a value that its column cannot hold.
public struct Assignment<Root: Entity>: Sendable {
    let column: ColumnPath<Root>
    let value: AssignedValue

    /// Assigns a value to a property; `nil` clears an optional property.
    public static func set<Value: Sendable>(
        _ column: KeyPath<Root, Value> & Sendable, to value: Value
    ) -> Assignment {
        Assignment(column: column, value: .given(value))
    }

    /// Assigns a term that is computed from the item as it was before the update.
    ///
    /// ```swift
    /// let raised = repository.update(Movie.self, set: [.set(\.boxOffice, to: \.boxOffice + 1)]) { _ in .true }
    /// ```
    /// - Failure: If the property cannot hold a computed value, the endpoint fails and nothing is stored. The error is
    ///   `.encoding` for a number out of the range of the property's type, and `.overflow` for an intermediate number
    ///   too large for 64 bits. NaN becomes `nil`, which is an error if the property is not optional.
    @_disfavoredOverload
    public static func set<Value: ColumnValue>(
        _ column: KeyPath<Root, Value> & Sendable, to term: Term<Root, Value>
    ) -> Assignment {
        Assignment(
            column: column,
            value: .computed(
                Result { () throws(RepositoryError) in try term.value().checked(for: Value.Plain.self) }))
    }

    /// Assigns a term that is computed from the item as it was before the update.
    ///
    /// ```swift
    /// let renamed = repository.update(
    ///     Movie.self, set: [.set(\.title) { $0.title.uppercased() }]) { $0.studio == nil }
    /// ```
    @_disfavoredOverload
    public static func set<Value: ColumnValue>(
        _ column: KeyPath<Root, Value> & Sendable, to term: (Root.QueryTerms) -> Term<Root, Value>
    ) -> Assignment {
        set(column, to: term(Root.queryTerms))
    }

    /// Assigns a term that is never `nil`, computed from the item as it was before the update, to an optional property.
    ///
    /// ```swift
    /// let noted = repository.update(Movie.self, set: [.set(\.studio) { ($0.studio ?? "") + "?" }]) { _ in .true }
    /// ```
    @_disfavoredOverload
    public static func set<Value: ColumnValue>(
        _ column: KeyPath<Root, Value?> & Sendable, to term: (Root.QueryTerms) -> Term<Root, Value>
    ) -> Assignment {
        let term = term(Root.queryTerms)
        return set(column, to: Term<Root, Value?> { () throws(RepositoryError) in try term.value() })
    }
}

extension Array {
    /// Whether an assignment gives an encrypted column a value other than `nil`.
    func encrypt<Root: Entity>() throws(RepositoryError) -> Bool where Element == Assignment<Root> {
        for assignment in self {
            guard case .given(let value) = assignment.value else { continue }
            let column = try Root.schema.column(for: assignment.column)
            if column.isOpaque, try column.stored(value) != .null { return true }
        }
        return false
    }

    func assigns<Root: Entity>(oneOf names: [String]) throws(RepositoryError) -> Bool
    where Element == Assignment<Root> {
        for assignment in self where names.contains(try Root.schema.column(for: assignment.column).name) { return true }
        return false
    }
}

enum AssignedValue: Sendable {
    case given(any Sendable)
    case computed(Result<TermValue, RepositoryError>)
}

extension TermValue {
    /// Returns the term, with a check of its value's range if `type` is unsigned or narrower than 64 bits.
    func checked(for type: Any.Type) throws(RepositoryError) -> TermValue {
        guard let type = type as? any FixedWidthInteger.Type, type.bitWidth < 64 || !type.isSigned else { return self }
        if case .column = term { return self }
        let (least, greatest) = type.storedBounds
        // `.checked` is not needed, because `.bounded` also checks that the number fits into 64 bits.
        let number = if case .checked(let number) = term { number } else { term }
        return try TermValue(
            .operation(
                .bounded, [number, .constant(.integer(least)), .constant(.integer(greatest))]),
            of: [self], isOptional: isOptional, storageClass)
    }

    /// Returns the term, scaled to the decimal places of a column.
    func assigned(to column: String, scale: Int) throws(RepositoryError) -> StoredTerm {
        try checkStoredAsOwnType()
        guard storageClass != .blob || self.scale == scale else {
            throw .misuse(
                detail: "the assigned value is not a vector of \(scale.counted("component")), as \(column) holds")
        }
        guard self.scale <= scale else {
            throw .misuse(
                detail: "the assigned value has \(self.scale.counted("decimal place")), but \(column) has \(scale)")
        }
        return try scaled(to: scale).term
    }
}

extension FixedWidthInteger {
    fileprivate static var storedBounds: (least: Int64, greatest: Int64) {
        (Int64(clamping: Self.min), Int64(clamping: Self.max))
    }
}
