extension ReadTransaction {
    /// Returns the store's identity, with which the URLs of its items begin; `nil` before the first URL was requested.
    final func identity() throws(RepositoryError) -> String? {
        try checkUsable()
        guard try firstValue(session.dialect.hasIdentity) != nil,
            case .text(let identity)? = try firstValue(session.dialect.identity)
        else {
            return nil
        }
        return identity
    }

    private func firstValue(_ sql: SQLText) throws(RepositoryError) -> SQLValue? {
        try query(try session.statement(sql)) { statement throws(RepositoryError) in
            try statement.first { row throws(RepositoryError) in try row.value(at: 0) }
        }
    }
}
