import CSQLite
import Foundation

extension Connection {
    /// Installs the functions that terms use, where SQLite's own know bytes and ASCII, and Swift's know characters.
    func installFunctions() throws(RepositoryError) {
        for function in TextFunction.allCases {
            try install(function.function, function.argument == .none ? 1 : 2, number: function.rawValue) {
                context, _, values in
                let number = Int(bitPattern: sqlite3_user_data(context)) - 1
                guard let function = TextFunction(rawValue: number), let value = values?[0],
                    sqlite3_value_type(value) != SQLITE_NULL
                else { return sqlite3_result_null(context) }
                guard let text = Connection.text(value) else {
                    // As a search, a question finds nothing in bytes.
                    if function.argument == .text { return sqlite3_result_null(context) }
                    return ValueCheck.refuse(value, "text", context)
                }
                switch function.argument {
                case .none: Connection.answer(function.value(of: text, 0), context)
                case .count: Connection.answer(function.value(of: text, Int(sqlite3_value_int64(values?[1]))), context)
                case .text:
                    guard let other = Connection.text(values?[1]) else { return sqlite3_result_null(context) }
                    Connection.answer(.integer(function.holds(text, other) ? 1 : 0), context)
                }
            }
        }
        try install(DatePart.function, 3, number: 0) { context, _, values in
            guard let values, sqlite3_value_type(values[0]) == SQLITE_FLOAT,
                let part = DatePart(rawValue: Int(sqlite3_value_int(values[1]))),
                let zone = Connection.text(values[2]),
                let number = part.value(of: sqlite3_value_double(values[0]), in: Zones.zone(zone))
            else { return sqlite3_result_null(context) }
            sqlite3_result_int64(context, Int64(number))
        }
    }

    /// Installs the functions that tell whether SQLite has left the whole numbers, or that a number is out of a range.
    func installIntegerChecks() throws(RepositoryError) {
        try install(IntegerCheck.function, 1, number: 0) { context, _, values in
            guard let number = values?[0], sqlite3_value_type(number) != SQLITE_FLOAT else {
                // An overflow leaves a number that is at least as large.
                let isLarge = sqlite3_value_double(values?[0]).magnitude >= 0x1p63
                return sqlite3_result_error(context, isLarge ? IntegerCheck.overflow : IntegerCheck.notWhole, -1)
            }
            sqlite3_result_value(context, number)
        }
        try install(IntegerCheck.function, 2, number: 0) { context, _, values in
            guard let number = values?[0], sqlite3_value_type(number) != SQLITE_FLOAT else {
                return sqlite3_result_error(context, IntegerCheck.overflow, -1)
            }
            sqlite3_result_value(context, number)
        }
        try install(IntegerCheck.function, 3, number: 0) { context, _, values in
            guard let values, sqlite3_value_type(values[0]) != SQLITE_FLOAT else {
                return sqlite3_result_error(context, IntegerCheck.overflow, -1)
            }
            guard sqlite3_value_type(values[0]) != SQLITE_NULL else { return sqlite3_result_null(context) }
            let number = sqlite3_value_int64(values[0])
            guard number >= sqlite3_value_int64(values[1]), number <= sqlite3_value_int64(values[2]) else {
                return sqlite3_result_error(context, IntegerCheck.outOfRange, -1)
            }
            sqlite3_result_int64(context, number)
        }
        try install(IntegerCheck.compared, 1, number: 0) { context, _, values in
            guard let number = values?[0], sqlite3_value_type(number) == SQLITE_FLOAT else {
                return sqlite3_result_value(context, values?[0])
            }
            sqlite3_result_double(context, sqlite3_value_double(number) < 0 ? -.infinity : .infinity)
        }
    }

    /// Installs the functions by which a value that a column of another program's holds, or would change, is refused.
    func installValueChecks() throws(RepositoryError) {
        try install(ValueCheck.integer, 1, number: 0) { context, _, values in
            guard let value = values?[0], [SQLITE_INTEGER, SQLITE_NULL].contains(sqlite3_value_type(value)) else {
                return ValueCheck.refuse(values?[0], "an integer", context)
            }
            sqlite3_result_value(context, value)
        }
        try install(ValueCheck.real, 1, number: 0) { context, _, values in
            guard let value = values?[0], sqlite3_value_type(value) != SQLITE_NULL else {
                return sqlite3_result_null(context)
            }
            guard let number = try? ColumnCell(SQLiteValue(value)).real() else {
                return ValueCheck.refuse(value, "a number", context)
            }
            sqlite3_result_double(context, number)
        }
        try install(ValueCheck.text, 1, number: 0) { context, _, values in
            guard let value = values?[0], [SQLITE_TEXT, SQLITE_NULL].contains(sqlite3_value_type(value)) else {
                return ValueCheck.refuse(values?[0], "text", context)
            }
            sqlite3_result_value(context, value)
        }
        try install(ValueCheck.stored, 2, number: 0) { context, _, values in
            guard let values, sqlite3_value_type(values[0]) == SQLITE_TEXT else {
                return sqlite3_result_value(context, values?[0])
            }
            guard let text = sqlite3_value_dup(values[0]) else { return sqlite3_result_error_nomem(context) }
            defer { sqlite3_value_free(text) }
            guard sqlite3_value_numeric_type(text) == SQLITE_TEXT else {
                return sqlite3_result_error(context, ValueCheck.changed + (Connection.text(values[1]) ?? ""), -1)
            }
            sqlite3_result_value(context, values[0])
        }
    }

    /// Installs a function, whose `number` tells it from others with the same body.
    ///
    /// It may be used only in statements, not in what a file brings along: a view, a trigger, an index.
    func install(
        _ name: StaticString, _ count: Int32, number: Int,
        _ body: @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void
    ) throws(RepositoryError) {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
        // One more than the number, because zero would make a null pointer.
        let data = UnsafeMutableRawPointer(bitPattern: number + 1)
        let code = sqlite3_create_function_v2(handle, name.description, count, flags, data, body, nil, nil, nil)
        guard code == SQLITE_OK else { throw notAccepted("application-defined functions") }
    }

    /// The text of a value; `nil` when it is something else.
    private static func text(_ value: OpaquePointer?) -> String? {
        guard let value, sqlite3_value_type(value) == SQLITE_TEXT else { return nil }
        return try? ColumnCell(SQLiteValue(value)).text()
    }

    static func answer(_ value: SQLValue, _ context: OpaquePointer?) {
        switch value {
        case .null: sqlite3_result_null(context)
        case .integer(let number): sqlite3_result_int64(context, number)
        case .real(let number): sqlite3_result_double(context, number)
        case .text(var text):
            text.withUTF8 { utf8 in
                // Safe because bytes and characters of one size share their memory inside the closure alone.
                utf8.withMemoryRebound(to: CChar.self) { characters in
                    csqlite_result_text(context, characters.baseAddress, UInt64(characters.count))
                }
            }
        case .blob(let bytes):
            bytes.withUnsafeBytes { csqlite_result_blob(context, $0.baseAddress, UInt64($0.count)) }
        }
    }
}

// The names of the functions in statements.

extension TextFunction {
    var function: StaticString {
        switch self {
        case .count: "signal_repository_count"
        case .lowercased: "signal_repository_lowercased"
        case .uppercased: "signal_repository_uppercased"
        case .prefix: "signal_repository_prefix"
        case .suffix: "signal_repository_suffix"
        case .dropFirst: "signal_repository_drop_first"
        case .dropLast: "signal_repository_drop_last"
        case .contains: "signal_repository_text_contains"
        case .starts: "signal_repository_text_starts"
        }
    }
}

extension TextSearch {
    var function: StaticString {
        switch self {
        case .contains: "signal_repository_contains"
        case .prefix: "signal_repository_has_prefix"
        case .suffix: "signal_repository_has_suffix"
        }
    }
}

extension DatePart {
    static let function: StaticString = "signal_repository_date_part"
}

/// Whether a computed number is one that can be held: in 64 bits, and by the type of a property.
enum IntegerCheck {
    /// Our function that returns the number, or fails.
    ///
    /// With one more value, the numbers that it is computed of are not checked. With two more, it also fails where it
    /// does not lie between them.
    static let function: StaticString = "signal_repository_checked"
    /// Our function that returns the number, or an infinite one where it is too large for 64 bits: what numbers that
    /// are not can be compared with.
    static let compared: StaticString = "signal_repository_compared"
    static let overflow = "a computed number is out of the range of 64 bits"
    static let notWhole = "a computed number is not a whole number"
    static let outOfRange = "a computed number is out of the range of its type"
}

/// Whether a value in a column that something else has declared is of its property's class.
enum ValueCheck {
    /// Our function that returns a whole number, or fails.
    static let integer: StaticString = "signal_repository_integer"
    /// Our function that returns a floating-point number, or fails.
    static let real: StaticString = "signal_repository_real"
    /// Our function that returns a text, or fails.
    static let text: StaticString = "signal_repository_text"
    /// Our function that returns a value that a column of numbers is to store, given the column's place; it fails for a
    /// text that would become a number.
    static let stored: StaticString = "signal_repository_stored"
    /// The beginning of the message that a value is of another class.
    static let mismatch = "a value is not of its column's class: "
    /// The beginning of the message that a value would be changed; the column's place follows.
    static let changed = "a text that the column would make a number: "

    /// A column of a table, as a message names it.
    static func place(_ column: String, of table: String) -> String { "\(table)\u{1F}\(column)" }

    /// The function that looks at values of a class; `nil` where they need not be looked at.
    static func function(of storageClass: StorageClass?) -> StaticString? {
        switch storageClass {
        case .integer: integer
        case .real: real
        case .text: text
        default: nil
        }
    }

    fileprivate static func refuse(_ value: OpaquePointer?, _ expected: String, _ context: OpaquePointer?) {
        let found = value.flatMap { StorageClass(rawValue: sqlite3_value_type($0)) } ?? .null
        sqlite3_result_error(context, "\(mismatch)expected \(expected), found \(found)", -1)
    }
}
