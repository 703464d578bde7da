extension Dialect {
    /// The SQL of a declared expression; `isCheck` for a constraint that rows must pass.
    package func declared(_ expression: DeclaredSQL, isCheck: Bool) throws(RepositoryError) -> SQLText {
        switch try expression.content() {
        // NULL counts as false, but a constraint would accept it.
        case .test(let test): try isCheck ? "(\(condition(test))) IS TRUE" : condition(test)
        case .term(let value): try term(value)
        case .text(let text): text
        }
    }
}
