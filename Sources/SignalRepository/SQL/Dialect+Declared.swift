extension Dialect {
    /// Writes an expression of a declaration; `isCheck` where rows have to pass it.
    package func declared(_ expression: DeclaredSQL, isCheck: Bool) throws(RepositoryError) -> SQLText {
        var sql = SQLText("")
        switch try expression.content() {
        case .test(let test):
            // A condition that is not known does not hold; a constraint would let it pass.
            if isCheck { sql.append("(") }
            try append(test, to: &sql)
            if isCheck { sql.append(") IS TRUE") }
        case .term(let term): try append(term, to: &sql)
        case .text(let text): sql.append(text)
        }
        return sql
    }
}
