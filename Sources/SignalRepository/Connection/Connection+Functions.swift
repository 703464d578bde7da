import CSQLite
import Foundation

extension Connection {
    /// Installs the functions that compute operations on texts, dates and vectors.
    ///
    /// SQLite's own text functions work on bytes and ASCII, not characters.
    func installFunctions() throws(RepositoryError) {
        for function in TextFunction.allCases {
            try install(function.function, function.argument == .none ? 1 : 2, number: function.rawValue) {
                context, _, values in
                let number = Int(bitPattern: sqlite3_user_data(context)) - 1
                guard let function = TextFunction(rawValue: number), let value = values?[0],
                    sqlite3_value_type(value) != SQLITE_NULL
                else { return sqlite3_result_null(context) }
                guard let text = Connection.text(value) else {
                    // A search in a value that is not text finds nothing, as in `installTextSearch()`.
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
        try install(VectorMetric.cosine.function, 2, number: 0) { Connection.answer(.cosine, $2, $0) }
        try install(VectorMetric.euclidean.function, 2, number: 0) { Connection.answer(.euclidean, $2, $0) }
        try install(VectorMetric.dot.function, 2, number: 0) { Connection.answer(.dot, $2, $0) }
    }

    /// Passes to SQLite the distance between the vector in the first value and the target in the second value.
    private static func answer(
        _ metric: VectorMetric, _ values: UnsafeMutablePointer<OpaquePointer?>?, _ context: OpaquePointer?
    ) {
        guard let values, sqlite3_value_type(values[0]) != SQLITE_NULL else { return sqlite3_result_null(context) }
        guard let vector = SQLiteValue(values[0]).bytes, let target = SQLiteValue(values[1]).bytes else {
            return ValueCheck.refuse(values[0], "a vector", context)
        }
        guard let distance = metric.distance(of: vector, from: target) else {
            let expected = "finite numbers in \(VectorMetric.byteCount(ofTarget: target)) bytes"
            return ValueCheck.refuse(expected, "a vector in \(vector.count) bytes", context)
        }
        sqlite3_result_double(context, distance)
    }

    /// Installs the functions that detect integer overflow, and numbers outside a range.
    func installIntegerChecks() throws(RepositoryError) {
        try install(IntegerCheck.function, 1, number: 0) { context, _, values in
            guard let number = values?[0], sqlite3_value_type(number) != SQLITE_FLOAT else {
                // An integer that overflows becomes a floating-point number of at least this magnitude.
                let isLarge = sqlite3_value_double(values?[0]).magnitude >= 0x1p63
                return sqlite3_result_error(context, isLarge ? IntegerCheck.overflow : IntegerCheck.notInteger, -1)
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

    /// Installs functions that reject values of the wrong storage class in tables made by other software, and a
    /// function that rejects a text that its column would convert to a number.
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

    /// Installs a function.
    ///
    /// `number` distinguishes functions that share a body.
    ///
    /// Statements can call the function. The views, triggers and indexes of a file cannot.
    func install(
        _ name: StaticString, _ count: Int32, number: Int,
        _ body: @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void
    ) throws(RepositoryError) {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
        // The pointer is one more than the number, because zero would make a null pointer.
        let data = UnsafeMutableRawPointer(bitPattern: number + 1)
        let code = sqlite3_create_function_v2(handle, name.description, count, flags, data, body, nil, nil, nil)
        guard code == SQLITE_OK else { throw notAccepted("application-defined functions") }
    }

    /// Returns the text of a value, or `nil` if the value is not text.
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
                // Safe because UInt8 and CChar have the same layout, and the pointer does not leave the closure.
                utf8.withMemoryRebound(to: CChar.self) { characters in
                    csqlite_result_text(context, characters.baseAddress, UInt64(characters.count))
                }
            }
        case .blob(let bytes):
            bytes.withUnsafeBytes { csqlite_result_blob(context, $0.baseAddress, UInt64($0.count)) }
        }
    }
}

// The SQL names of the functions.

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

extension VectorMetric {
    var function: StaticString {
        switch self {
        case .cosine: "signal_repository_cosine"
        case .euclidean: "signal_repository_euclidean"
        case .dot: "signal_repository_dot"
        }
    }
}

extension DatePart {
    static let function: StaticString = "signal_repository_date_part"
}

/// The checks that a computed number fits in 64 bits, and in the type of a property.
enum IntegerCheck {
    /// The function that returns a number, or fails if the number is not an integer of 64 bits.
    ///
    /// Two arguments mean that the operands of the number were not checked, so any floating-point number is an
    /// overflow. With three arguments, the function also fails if the number does not lie between the second and the
    /// third argument.
    static let function: StaticString = "signal_repository_checked"
    /// The function that returns an integer, or an infinity in place of an integer that overflows, for comparisons.
    static let compared: StaticString = "signal_repository_compared"
    static let overflow = "a computed number is out of the range of 64 bits"
    static let notInteger = "a computed number is not a whole number"
    static let outOfRange = "a computed number is out of the range of its type"
}

/// The checks that a value in a table made by other software has the storage class of its property.
enum ValueCheck {
    /// The function that returns an integer or NULL, or fails.
    static let integer: StaticString = "signal_repository_integer"
    /// The function that returns a floating-point number or NULL, or fails.
    static let real: StaticString = "signal_repository_real"
    /// The function that returns a text or NULL, or fails.
    static let text: StaticString = "signal_repository_text"
    /// The function that returns a value to store in the column `path`, or fails for text that would become a number.
    static let stored: StaticString = "signal_repository_stored"
    /// The prefix of the message about a value of the wrong storage class.
    static let mismatch = "a value is not of its column's class: "
    /// The prefix of the message about a text that would be converted; the column's `path` follows.
    static let changed = "a text that the column would make a number: "

    /// Returns a column and its table as one text, for the message that begins with `changed`.
    static func path(of column: String, in table: String) -> String { "\(table)\u{1F}\(column)" }

    /// Returns the function that checks values of a class, or `nil` if these values need no check.
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
        refuse(expected, "\(found)", context)
    }

    fileprivate static func refuse(_ expected: String, _ found: String, _ context: OpaquePointer?) {
        sqlite3_result_error(context, "\(mismatch)expected \(expected), found \(found)", -1)
    }
}
