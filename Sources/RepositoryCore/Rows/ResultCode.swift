import CSQLite

/// An SQLite result code, which is an extended code if SQLite reported one.
///
/// In a pattern, a primary code matches all of its extended codes.
package struct ResultCode: RawRepresentable, Sendable, Hashable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// The primary code: the low eight bits.
    package var primary: ResultCode { ResultCode(rawValue: rawValue & 0xFF) }

    /// Whether `code` is `pattern` or, when `pattern` is a primary code, one of its extended codes.
    package static func ~= (pattern: ResultCode, code: ResultCode) -> Bool {
        pattern == code || (pattern == pattern.primary && code.primary == pattern)
    }
}

extension ResultCode {
    package static let ok = ResultCode(rawValue: SQLITE_OK)
    package static let error = ResultCode(rawValue: SQLITE_ERROR)
    /// Another connection holds a required lock (5).
    package static let busy = ResultCode(rawValue: SQLITE_BUSY)
    /// A statement of the same connection holds a required lock (6).
    package static let locked = ResultCode(rawValue: SQLITE_LOCKED)
    package static let outOfMemory = ResultCode(rawValue: SQLITE_NOMEM)
    package static let readOnly = ResultCode(rawValue: SQLITE_READONLY)
    /// The write-ahead log of an interrupted program cannot be recovered, because the file cannot be written (264).
    package static let readOnlyRecovery = ResultCode(rawValue: SQLITE_READONLY | (1 << 8))
    /// The rollback journal of an interrupted program cannot be applied, because the file cannot be written (776).
    package static let readOnlyRollback = ResultCode(rawValue: SQLITE_READONLY | (3 << 8))
    package static let interrupted = ResultCode(rawValue: SQLITE_INTERRUPT)
    /// The system reported a failure to read or write (10).
    package static let io = ResultCode(rawValue: SQLITE_IOERR)
    package static let corrupt = ResultCode(rawValue: SQLITE_CORRUPT)
    package static let full = ResultCode(rawValue: SQLITE_FULL)
    package static let cannotOpen = ResultCode(rawValue: SQLITE_CANTOPEN)
    /// The locks of the write-ahead log could not be acquired after many tries (15).
    package static let lockingProtocol = ResultCode(rawValue: SQLITE_PROTOCOL)
    /// A text, a blob or a statement is longer than the limit (18).
    package static let tooBig = ResultCode(rawValue: SQLITE_TOOBIG)
    package static let constraint = ResultCode(rawValue: SQLITE_CONSTRAINT)
    package static let constraintCheck = ResultCode(rawValue: SQLITE_CONSTRAINT | (1 << 8))
    package static let constraintForeignKey = ResultCode(rawValue: SQLITE_CONSTRAINT | (3 << 8))
    package static let constraintNotNull = ResultCode(rawValue: SQLITE_CONSTRAINT | (5 << 8))
    package static let constraintPrimaryKey = ResultCode(rawValue: SQLITE_CONSTRAINT | (6 << 8))
    /// A trigger raised an error, or a foreign key forbids a deletion (1811).
    package static let constraintTrigger = ResultCode(rawValue: SQLITE_CONSTRAINT | (7 << 8))
    package static let constraintUnique = ResultCode(rawValue: SQLITE_CONSTRAINT | (8 << 8))
    /// A row with the same rowid exists, and the rowid is the primary key (2579).
    package static let constraintRowID = ResultCode(rawValue: SQLITE_CONSTRAINT | (10 << 8))
    /// A value for a rowid is not an integer (20).
    package static let mismatch = ResultCode(rawValue: SQLITE_MISMATCH)
    package static let misuse = ResultCode(rawValue: SQLITE_MISUSE)
    /// The authorizer denied a statement (23).
    package static let notAuthorized = ResultCode(rawValue: SQLITE_AUTH)
    package static let range = ResultCode(rawValue: SQLITE_RANGE)
    package static let notADatabase = ResultCode(rawValue: SQLITE_NOTADB)
}

extension ResultCode: CustomStringConvertible {
    /// SQLite's description of the code, and the number.
    package var description: String {
        let phrase = sqlite3_errstr(rawValue).map { String(cString: $0) } ?? "unknown result"
        return "\(phrase) (\(rawValue))"
    }
}
