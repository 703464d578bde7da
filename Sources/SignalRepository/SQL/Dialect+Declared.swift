extension Dialect {
    /// An expression of a declaration; `isCheck` where rows have to pass it.
    package func declared(_ expression: DeclaredSQL, isCheck: Bool) throws(RepositoryError) -> SQLText {
        switch try expression.content() {
        // A condition that is not known does not hold; a constraint would let it pass.
        case .test(let test): try isCheck ? "(\(condition(test))) IS TRUE" : condition(test)
        case .term(let value): try term(value)
        case .text(let text): text
        }
    }
}
