import CSQLite
import Foundation

/// The object that SQLite holds for a custom function or collation.
private final class Registered<Body: Sendable> {
    let body: Body
    /// The connection's monitor, which keeps an error thrown by a function until the statement fails.
    ///
    /// The monitor lives as long as its connection. It is `nil` for a collation, which cannot throw.
    unowned let monitor: ConnectionMonitor?

    init(_ body: Body, _ monitor: ConnectionMonitor? = nil) {
        (self.body, self.monitor) = (body, monitor)
    }

    /// A pointer to the object for SQLite.
    ///
    /// Each access retains the object once.
    ///
    /// Safe because SQLite releases the object once, and does not use the pointer afterwards.
    var retained: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

    static func of(_ pointer: UnsafeMutableRawPointer?) -> Registered? {
        // Safe because SQLite does not use the pointer after it has released the object.
        pointer.map { Unmanaged<Registered>.fromOpaque($0).takeUnretainedValue() }
    }

    static func release(_ pointer: UnsafeMutableRawPointer?) {
        // Safe because SQLite calls this once, when it no longer needs the object.
        if let pointer { Unmanaged<Registered>.fromOpaque(pointer).release() }
    }
}

/// The collations that sort text by the rules of a locale.
enum LocaleCollation {
    /// The prefix of each collation's name; the identifier of its locale follows.
    static let prefix = "signal_repository_localized_"

    fileprivate static func named(_ name: String) -> (@Sendable (String, String) -> ComparisonResult)? {
        guard name.hasPrefix(prefix) else { return nil }
        let locale = Locale(identifier: String(name.dropFirst(prefix.count)))
        return { left, right in left.compare(right, options: [], range: nil, locale: locale) }
    }
}

extension ConnectionOptions {
    var customNames: Set<String> { Set(functions.map(\.name) + collations.map(\.name)) }
}

private typealias RegisteredFunction = Registered<@Sendable ([SQLValue]) throws -> SQLValue>
private typealias RegisteredCollation = Registered<@Sendable (String, String) -> ComparisonResult>

extension Connection {
    static let functionFailed = "a custom function failed"

    /// Installs the callback that registers the collation of a locale when a statement names it.
    func installLocalizedOrders() throws(RepositoryError) {
        let code = sqlite3_collation_needed(handle, nil) { _, handle, _, name in
            guard let name = name.map({ String(cString: $0) }), let order = LocaleCollation.named(name) else { return }
            // If registering fails, the statement fails because the collation is missing.
            _ = Connection.register(order, as: name, on: handle)
        }
        guard code == SQLITE_OK else { throw failure(code, sql: nil) }
    }

    func installCustomFunctions() throws(RepositoryError) {
        if options.functions.isEmpty && options.collations.isEmpty { return }
        let functions = try texts("SELECT DISTINCT name FROM pragma_function_list")
        try checkNames("function", options.functions.map(\.name), functions)
        // SQLite also lists collations that the schema only mentions. Preparing a statement shows which ones exist.
        let collations = try texts("SELECT name FROM pragma_collation_list").filter { name in
            (try? prepare("SELECT '' = '' COLLATE \(Identifier.quoted(name))")) != nil
        }
        try checkNames("collation", options.collations.map(\.name), collations)
        for function in options.functions { try install(function) }
        for collation in options.collations { try install(collation) }
    }

    /// Throws if a name is invalid, or is the name of an existing function or collation, which statements may use.
    private func checkNames(_ noun: String, _ names: [String], _ known: [String]) throws(RepositoryError) {
        var taken = Set(known.map(Identifier.key))
        for name in names {
            try Identifier.check(name, of: "a \(noun)")
            guard name.utf8.count <= 255 else {
                throw .misuse(
                    detail: "the name of a \(noun) has \(name.utf8.count) bytes, at most 255 are allowed: "
                        + name.prefix(40) + "…")
            }
            guard taken.insert(Identifier.key(name)).inserted else {
                throw .misuse(detail: "a \(noun) named \(name) already exists")
            }
        }
    }

    private func install(_ function: SQLFunction) throws(RepositoryError) {
        guard !function.isScaled else {
            throw .misuse(
                detail: "the function \(function.name) takes or returns a Decimal, which only a column can store: use "
                    + "another type")
        }
        let code = sqlite3_create_function_v2(
            handle, function.name, Int32(function.count), SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
            RegisteredFunction(function.body, monitor).retained,
            { context, count, values in
                guard let function = RegisteredFunction.of(sqlite3_user_data(context)) else { return }
                do {
                    var arguments: [SQLValue] = []
                    for index in 0..<Int(count) {
                        arguments.append(try SQLValue(ColumnCell(SQLiteValue(values?[index]))))
                    }
                    Connection.answer(try function.body(arguments), context)
                } catch {
                    function.monitor?.thrown = error
                    sqlite3_result_error(context, Connection.functionFailed, -1)
                }
            }, nil, nil, { RegisteredFunction.release($0) })
        guard code == SQLITE_OK else { throw failure(code, sql: nil) }
    }

    private func install(_ collation: SQLCollation) throws(RepositoryError) {
        let code = Self.register(collation.order, as: collation.name, on: handle)
        guard code == SQLITE_OK else { throw failure(code, sql: nil) }
    }

    func comparison(of operation: RepositoryCore.Operation) -> (@Sendable (String, String) -> Int)? {
        let order: (@Sendable (String, String) -> ComparisonResult)? =
            switch operation {
            case .localized(let locale): LocaleCollation.named(LocaleCollation.prefix + locale)
            case .collated(let name):
                options.collations.first { Identifier.key($0.name) == Identifier.key(name) }?.order
                    ?? Self.builtIn(name)
            default: nil
            }
        guard let order else { return nil }
        return { left, right in order(left, right).rawValue }
    }

    /// Returns the order of SQLite's built-in collation NOCASE or RTRIM; `nil` for any other name.
    private static func builtIn(_ name: String) -> (@Sendable (String, String) -> ComparisonResult)? {
        if Identifier.key(name) == Identifier.key("NOCASE") {
            return { left, right in
                for (one, other) in zip(left.utf8, right.utf8) {
                    let (one, other) = (Self.lowercased(one), Self.lowercased(other))
                    if one != other { return one < other ? .orderedAscending : .orderedDescending }
                    // SQLite compares only the lengths of texts that are equal up to a NUL.
                    if one == 0 { break }
                }
                let (one, other) = (left.utf8.count, right.utf8.count)
                return one == other ? .orderedSame : one < other ? .orderedAscending : .orderedDescending
            }
        }
        guard Identifier.key(name) == Identifier.key("RTRIM") else { return nil }
        return { left, right in
            let texts = [left, right].map { text in text.utf8.reversed().drop { $0 == UInt8(ascii: " ") }.reversed() }
            if texts[0].elementsEqual(texts[1]) { return .orderedSame }
            return texts[0].lexicographicallyPrecedes(texts[1]) ? .orderedAscending : .orderedDescending
        }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte + 32 : byte
    }

    /// Registers a collation; returns SQLite's result code.
    private static func register(
        _ order: @escaping @Sendable (String, String) -> ComparisonResult, as name: String, on handle: OpaquePointer?
    ) -> Int32 {
        let registered = RegisteredCollation(order).retained
        let code = sqlite3_create_collation_v2(
            handle, name, SQLITE_UTF8, registered,
            { context, leftCount, left, rightCount, right in
                guard let collation = RegisteredCollation.of(context) else { return 0 }
                let texts = [(left, leftCount), (right, rightCount)].map { start, count in
                    String(decoding: UnsafeRawBufferPointer(start: start, count: Int(count)), as: UTF8.self)
                }
                return Int32(collation.body(texts[0], texts[1]).rawValue)
            }, { RegisteredCollation.release($0) })
        // If registering fails, SQLite releases the object of a function, but not the object of a collation.
        if code != SQLITE_OK { RegisteredCollation.release(registered) }
        return code
    }
}

extension SQLCollation {
    fileprivate var order: @Sendable (String, String) -> ComparisonResult {
        { [isBefore] left, right in
            if isBefore(left, right) { return .orderedAscending }
            return isBefore(right, left) ? .orderedDescending : .orderedSame
        }
    }
}
