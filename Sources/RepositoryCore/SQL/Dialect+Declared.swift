extension Dialect {
    /// Returns the SQL of a declared expression.
    ///
    /// With `isCheck`, the result is the condition of a CHECK constraint.
    package func declared(_ expression: DeclaredSQL, isCheck: Bool) throws(RepositoryError) -> SQLText {
        switch try expression.content() {
        // Elsewhere, a condition that is NULL counts as false. A CHECK constraint, however, accepts such a row.
        case .test(let test): try isCheck ? "(\(condition(test))) IS TRUE" : condition(test)
        case .term(let value): try term(value)
        case .text(let text): text
        }
    }
}
