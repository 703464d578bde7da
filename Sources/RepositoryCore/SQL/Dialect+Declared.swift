extension Dialect {
    /// Returns the SQL of a declared expression.
    ///
    /// With `isCheck`, the result is the condition of a CHECK constraint.
    package func declared(_ expression: DeclaredSQL, isCheck: Bool) throws(RepositoryError) -> SQLText {
        switch try expression.content() {
        // In a condition, NULL counts as false. A CHECK constraint, however, accepts a row for which it is NULL.
        case .test(let test): try isCheck ? "(\(condition(test))) IS TRUE" : condition(test)
        case .term(let value): try term(value)
        case .text(let text): text
        }
    }
}
