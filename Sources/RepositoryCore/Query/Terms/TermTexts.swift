// Text functions of terms. They give the same results as the members of `String` with the same names.

extension Term where Value == String {
    /// The number of characters.
    public var count: Term<Root, Int> { call(.count) }
}

extension Term where Value == String? {
    /// The number of characters.
    public var count: Term<Root, Int?> { call(.count) }
}

extension Term where Value: OrderedValue, Value.Plain == String {
    /// The text in lower case.
    public func lowercased() -> Term { call(.lowercased) }
    /// The text in upper case.
    public func uppercased() -> Term { call(.uppercased) }
    /// The first `count` characters, or all if there are fewer.
    public func prefix(_ count: Int) -> Term { call(.prefix, count) }
    /// The last `count` characters, or all if there are fewer.
    public func suffix(_ count: Int) -> Term { call(.suffix, count) }
    /// The text without its first `count` characters.
    public func dropFirst(_ count: Int = 1) -> Term { call(.dropFirst, count) }
    /// The text without its last `count` characters.
    public func dropLast(_ count: Int = 1) -> Term { call(.dropLast, count) }
}

extension Term {
    fileprivate func call<Output>(_ function: TextFunction, _ count: Int? = nil) -> Term<Root, Output> {
        Term<Root, Output> { () throws(RepositoryError) in
            let text = try value()
            if let count, count < 0 { throw .misuse(detail: "a number of characters cannot be negative: \(count)") }
            return try text.computed(function, count)
        }
    }
}

extension TermValue {
    func computed(_ function: TextFunction, _ count: Int? = nil) throws(RepositoryError) -> TermValue {
        let more = count.map { [StoredTerm.constant(.integer(Int64($0)))] } ?? []
        return try TermValue(
            .operation(.text(function), [term] + more), of: [self], isOptional: isOptional,
            function == .count ? .integer : .text)
    }
}
