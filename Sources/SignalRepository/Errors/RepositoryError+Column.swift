import CSQLite

extension ColumnFault {
    /// What is wrong with a value, in words.
    static func sentence(_ error: any Error) -> String {
        switch error {
        case ColumnFault.value(let sentence): sentence
        case ColumnFault.refused(let code): ResultCode(rawValue: code).description
        default: "\(error)"
        }
    }
}

extension RepositoryError {
    /// The error for a value that could not be bound.
    static func encoding(_ error: any Error, entity: String, column: String) -> RepositoryError {
        if case ColumnFault.refused(SQLITE_TOOBIG) = error {
            return .tooBig(detail: "the value for \(entity).\(column) is longer than the limit")
        }
        return .encoding(entity: entity, column: column, detail: ColumnFault.sentence(error))
    }
}
