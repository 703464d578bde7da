import CSQLite

/// An SQLite result code, in its extended form if SQLite gave one.
///
/// The set is open: a newer SQLite may report a code that has no name here. A primary code matches all of its
/// extended codes in a pattern:
///
/// ```swift
/// func explain(_ diagnosis: Diagnosis) {
///     switch diagnosis.resultCode {
///     case .constraint?: print("some constraint")  // also .constraintUnique, .constraintForeignKey, …
///     default: print("something else")
///     }
/// }
/// ```
public struct ResultCode: RawRepresentable, Sendable, Hashable {
    /// The number, as in SQLite's documentation.
    public let rawValue: Int32

    /// Creates a code from its number in SQLite's documentation.
    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The primary code: the low eight bits.
    public var primary: ResultCode { ResultCode(rawValue: rawValue & 0xFF) }

    /// Whether `code` is `pattern` or, when `pattern` is a primary code, one of its extended codes.
    public static func ~= (pattern: ResultCode, code: ResultCode) -> Bool {
        pattern == code || (pattern == pattern.primary && code.primary == pattern)
    }
}

extension ResultCode {
    /// Success (0).
    public static let ok = ResultCode(rawValue: SQLITE_OK)
    /// A faulty statement or incorrect use (1).
    public static let error = ResultCode(rawValue: SQLITE_ERROR)
    /// Another connection holds a required lock (5).
    public static let busy = ResultCode(rawValue: SQLITE_BUSY)
    /// A statement of the same connection holds a required lock (6).
    public static let locked = ResultCode(rawValue: SQLITE_LOCKED)
    /// Memory ran out (7).
    public static let outOfMemory = ResultCode(rawValue: SQLITE_NOMEM)
    /// The file or the connection cannot be written (8).
    public static let readOnly = ResultCode(rawValue: SQLITE_READONLY)
    /// The log of an interrupted program cannot be recovered, because the file cannot be written (264).
    static let readOnlyRecovery = ResultCode(rawValue: SQLITE_READONLY | (1 << 8))
    /// The journal of an interrupted program cannot be applied, because the file cannot be written (776).
    static let readOnlyRollback = ResultCode(rawValue: SQLITE_READONLY | (3 << 8))
    /// A statement was stopped (9).
    public static let interrupted = ResultCode(rawValue: SQLITE_INTERRUPT)
    /// The system reported a failure to read or write (10).
    public static let io = ResultCode(rawValue: SQLITE_IOERR)
    /// The file is damaged (11).
    public static let corrupt = ResultCode(rawValue: SQLITE_CORRUPT)
    /// The disk is full (13).
    public static let full = ResultCode(rawValue: SQLITE_FULL)
    /// The file cannot be opened (14).
    public static let cannotOpen = ResultCode(rawValue: SQLITE_CANTOPEN)
    /// The locks of the log could not be acquired in many tries (15).
    public static let lockingProtocol = ResultCode(rawValue: SQLITE_PROTOCOL)
    /// The schema changed under a statement (17).
    public static let schema = ResultCode(rawValue: SQLITE_SCHEMA)
    /// A text, a blob or a statement is longer than the limit (18).
    public static let tooBig = ResultCode(rawValue: SQLITE_TOOBIG)
    /// A constraint rejected a change (19).
    public static let constraint = ResultCode(rawValue: SQLITE_CONSTRAINT)
    /// A CHECK constraint (275).
    public static let constraintCheck = ResultCode(rawValue: SQLITE_CONSTRAINT | (1 << 8))
    /// A foreign key (787).
    public static let constraintForeignKey = ResultCode(rawValue: SQLITE_CONSTRAINT | (3 << 8))
    /// A NOT NULL constraint (1299).
    public static let constraintNotNull = ResultCode(rawValue: SQLITE_CONSTRAINT | (5 << 8))
    /// A primary key (1555).
    public static let constraintPrimaryKey = ResultCode(rawValue: SQLITE_CONSTRAINT | (6 << 8))
    /// A trigger, or a reference that forbids a deletion (1811).
    public static let constraintTrigger = ResultCode(rawValue: SQLITE_CONSTRAINT | (7 << 8))
    /// A UNIQUE constraint or index (2067).
    public static let constraintUnique = ResultCode(rawValue: SQLITE_CONSTRAINT | (8 << 8))
    /// A primary key that is the rowid (2579).
    public static let constraintRowID = ResultCode(rawValue: SQLITE_CONSTRAINT | (10 << 8))
    /// A value of the wrong storage class for a column of a STRICT table (3091).
    public static let constraintDataType = ResultCode(rawValue: SQLITE_CONSTRAINT | (12 << 8))
    /// A non-integer value for a rowid (20).
    public static let mismatch = ResultCode(rawValue: SQLITE_MISMATCH)
    /// SQLite was called incorrectly (21).
    public static let misuse = ResultCode(rawValue: SQLITE_MISUSE)
    /// A statement that the program may not execute (23).
    public static let notAuthorized = ResultCode(rawValue: SQLITE_AUTH)
    /// A parameter that the statement does not have (25).
    public static let range = ResultCode(rawValue: SQLITE_RANGE)
    /// The file is not a database (26).
    public static let notADatabase = ResultCode(rawValue: SQLITE_NOTADB)
    /// A row is available; not an error (100).
    public static let row = ResultCode(rawValue: SQLITE_ROW)
    /// The statement has ended; not an error (101).
    public static let done = ResultCode(rawValue: SQLITE_DONE)
}

extension ResultCode: CustomStringConvertible {
    /// SQLite's phrase for the code, and the number.
    public var description: String {
        let phrase = sqlite3_errstr(rawValue).map { String(cString: $0) } ?? "unknown result"
        return "\(phrase) (\(rawValue))"
    }
}
