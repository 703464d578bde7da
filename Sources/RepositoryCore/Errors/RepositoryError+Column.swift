extension ColumnFault {
    var sentence: String {
        switch self {
        case .value(let sentence): sentence
        case .tooLong: "it is longer than the limit"
        }
    }

    /// Returns a sentence that says what is wrong with a value, from the error that a column's code threw.
    static func sentence(_ error: any Error) -> String {
        (error as? ColumnFault)?.sentence ?? ThrownError(error).clause
    }
}

extension RepositoryError {
    static func encoding(_ error: any Error, entity: String, column: String) -> RepositoryError {
        if case ColumnFault.tooLong = error {
            return .tooBig(detail: "the value for \(entity).\(column) is longer than the limit")
        }
        return .encoding(entity: entity, column: column, detail: ColumnFault.sentence(error))
    }
}
