extension SQLText {
    /// Creates a raw SQL statement with the values of its parameters.
    init(_ literal: StaticString, _ values: [any BindableValue]) throws(RepositoryError) {
        self.init(literal)
        for value in values { append(value: try value.stored(in: literal, of: "statement")) }
    }
}
