import CSQLite

extension ColumnFault {
    /// The fault in words.
    var sentence: String {
        switch self {
        case .value(let sentence): sentence
        case .refused(let code): ResultCode(rawValue: code).description
        }
    }
}

extension RepositoryError {
    /// The error for a value that could not be bound.
    static func encoding(_ fault: ColumnFault, entity: String, column: String) -> RepositoryError {
        if case .refused(SQLITE_TOOBIG) = fault {
            return .tooBig(detail: "the value for \(entity).\(column) is longer than the limit")
        }
        return .encoding(entity: entity, column: column, detail: fault.sentence)
    }
}
