// The conditions that have a name instead of an operator.

extension Term where Value == Bool, Root: Entity {
    /// Tests that a column has one of the values, however many there are; `nil` may be one of them.
    ///
    /// ```swift
    /// Movie.where(.isIn(\.studio, ["Gramercy", "Miramax", nil]))
    /// ```
    ///
    /// - Failure: More than 32,000 values of a type stored as REAL (`Double`, `Float`, `Date`) are an error, and so are
    ///   more than 32,000 in the parts of composite keys.
    /// - Complexity: O(*n*) in the number of values.
    public static func isIn<Property: ColumnValue>(
        _ column: KeyPath<Root, Property> & Sendable, _ values: some Sequence<Property>
    ) -> Term {
        Term { () throws(RepositoryError) in try TermValue(column, of: nil).test(isIn: values.map { $0 }) }
    }

    /// Tests that a column lies in a closed range, both bounds included.
    public static func between<Property: ColumnValue & Comparable>(
        _ column: KeyPath<Root, Property> & Sendable, _ range: ClosedRange<Property>
    ) -> Term {
        Term(column, range.lowerBound, range.upperBound)
    }

    /// Tests that an optional column has a value in a closed range, both bounds included.
    public static func between<Property: ColumnValue & Comparable>(
        _ column: KeyPath<Root, Property?> & Sendable, _ range: ClosedRange<Property>
    ) -> Term {
        Term(column, range.lowerBound, range.upperBound)
    }

    /// Tests that a text contains another.
    ///
    /// It finds whole characters. The case of the letters A to Z is ignored; all else is compared byte for byte.
    ///
    /// ```swift
    /// Movie.where(.contains(\.title, "50%"))          // the per cent sign is a character like any other
    /// ```
    public static func contains<Text: ColumnValue>(
        _ column: KeyPath<Root, Text> & Sendable, _ text: String
    ) -> Term where Text.Plain == String {
        Term(column, .contains, text)
    }

    /// Tests that a text begins with another.
    ///
    /// The case of the letters A to Z is ignored.
    public static func hasPrefix<Text: ColumnValue>(
        _ column: KeyPath<Root, Text> & Sendable, _ text: String
    ) -> Term where Text.Plain == String {
        Term(column, .prefix, text)
    }

    /// Tests that a text ends with another.
    ///
    /// The case of the letters A to Z is ignored.
    public static func hasSuffix<Text: ColumnValue>(
        _ column: KeyPath<Root, Text> & Sendable, _ text: String
    ) -> Term where Text.Plain == String {
        Term(column, .suffix, text)
    }

    private init(_ path: ColumnPath<Root>, _ lower: any ColumnValue, _ upper: any ColumnValue) {
        self.init { () throws(RepositoryError) in try TermValue(path, of: nil).test(from: lower, to: upper) }
    }

    private init(_ path: ColumnPath<Root>, _ search: TextSearch, _ text: String) {
        self.init { () throws(RepositoryError) in try TermValue(path, of: nil).test(search, text) }
    }
}

extension Term where Value == Bool {
    /// Tests with a fragment of SQL, for what the typed conditions cannot express.
    ///
    /// Values are bound to its question marks. In a join, a table has the name of its side: `"left".title`.
    ///
    /// ```swift
    /// Movie.where(.raw("length(title) > ?", 20) && \.studio != nil)
    /// ```
    ///
    /// See `SQL` for what can be interpolated.
    /// - Failure: Too few or too many values, and SQL that does not compile, are errors of the endpoint.
    public static func raw(_ sql: SQL, _ values: any BindableValue...) -> Term {
        Term { () throws(RepositoryError) in StoredTest.raw(try sql.text(values, of: "condition")) }
    }
}
