/// The kind of constraint that rejected a change.
public enum ConstraintKind: String, Sendable, Hashable, CaseIterable {
    /// A unique column, or a unique set of columns.
    case unique
    /// A reference to an item that does not exist, or a change that removes an item to which other items still refer.
    case foreignKey
    /// A CHECK constraint.
    case check
    /// A column that must hold a value.
    case notNull
    /// The key of an entity.
    case primaryKey
    /// A trigger that rejected the change, with the reason in the engine's message, or that ignored the change.
    case trigger
    /// Another rule of the table, such as the storage class of a column.
    case other
}

extension RepositoryError {
    /// Returns the error with the columns of the violated constraint, if `columns` can determine them.
    package func naming(_ columns: () throws(RepositoryError) -> [String]?) -> RepositoryError {
        guard case .constraint(let kind, let known, let diagnosis, let item) = self else { return self }
        // A failure to find the columns must not replace the original error.
        let found = (try? columns()) ?? nil
        return .constraint(kind: kind, columns: found ?? known, diagnosis: diagnosis, item: item)
    }

    /// Returns the error of a foreign key with the columns of that key; returns any other error unchanged.
    package func namingReference(_ columns: () throws(RepositoryError) -> [String]?) -> RepositoryError {
        guard case .constraint(kind: .foreignKey, _, _, _) = self else { return self }
        return naming(columns)
    }

    /// Returns the error of a duplicate primary key with the key's columns, unless the engine has named these.
    func namingKey(_ columns: () throws(RepositoryError) -> [String]?) -> RepositoryError {
        guard case .constraint(kind: .primaryKey, columns: [], _, _) = self else { return self }
        return naming(columns)
    }
}
