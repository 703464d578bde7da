import CPostgres
import RepositoryCore

extension PostgresConnection {
    static let engine = "PostgreSQL"

    func failure(_ result: OpaquePointer?, _ sql: String) -> RepositoryError {
        func field(_ code: Int32) -> String? { PQresultErrorField(result, code).map { String(cString: $0) } }
        guard let code = field(CPOSTGRES_SQLSTATE) else { return lost(sql) }
        // The message is localized, so the error is recognized by the name of the server function that reports it.
        if code == ServerFailure.outdated, field(CPOSTGRES_FUNCTION) == "RevalidateCachedQuery" {
            return outdated(sql, field(CPOSTGRES_MESSAGE) ?? "")
        }
        let failure = ServerFailure(
            code: code, message: field(CPOSTGRES_MESSAGE) ?? "", table: field(CPOSTGRES_TABLE),
            column: field(CPOSTGRES_COLUMN), constraint: field(CPOSTGRES_CONSTRAINT),
            position: field(CPOSTGRES_POSITION).flatMap { Int($0) })
        brokenReference = failure.reference
        takenKey = failure.takenKey ?? takenKey
        return failure.error(sql: sql, reason: flag?.reason)
    }

    /// Returns the error for a statement whose tables have changed since it was prepared; sets `needsReread`.
    func outdated(_ sql: String, _ message: String) -> RepositoryError {
        (hasChangedSchema, needsReread) = (true, true)
        return .busy(Diagnosis(engine: Self.engine, code: ServerFailure.outdated, message: message, sql: sql))
    }

    func lost(_ sql: String?) -> RepositoryError {
        let message = Self.message(of: handle)
        return .io(
            Diagnosis(
                engine: Self.engine, code: "08006", message: message.isEmpty ? "the connection was lost" : message,
                sql: sql))
    }

    // The server's failure has already named the foreign key, so this sends no query.
    func brokenReference(by values: (_ column: String) -> SQLValue?, in table: String) throws(RepositoryError)
        -> [String]?
    {
        brokenReference?.names(for: table)
    }

    func restrictingReference(
        _ rows: SQLText, of table: String, isDeletion: Bool
    ) throws(RepositoryError) -> [String]? {
        brokenReference?.names(for: table)
    }

    func diagnosis(ofTrigger message: String, _ statement: any StoreStatement) -> Diagnosis {
        Diagnosis(engine: Self.engine, code: "P0001", message: message, sql: statement.sql)
    }

    func naming(_ error: RepositoryError, of statement: any StoreStatement) -> RepositoryError { error }
}
