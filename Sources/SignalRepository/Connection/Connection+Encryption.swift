import CSQLite
import Signals

extension Connection {
    /// Gives the connection its key, before the connection reads or writes a byte of the file.
    ///
    /// The key is passed to a C function instead of a statement, so that no trace contains the key.
    func unlock() throws(RepositoryError) {
        guard let key = options.key?.current else { return }
        guard path != ":memory:" else { throw .misuse(detail: "a store in memory is not encrypted") }
        try apply(key.settings)
        let code = Self.give(key.bytes, to: handle)
        guard code == SQLITE_OK else {
            throw .failure(ResultCode(rawValue: code), String(cString: sqlite3_errmsg(handle)), path: path)
        }
    }

    /// Keeps SQLite's temporary files in memory, and throws if the connection's key does not open the file.
    func checkKey() throws(RepositoryError) {
        guard options.key?.current != nil else { return }
        // Temporary files, such as for sorting or VACUUM, would not be encrypted.
        try require(pragma: "temp_store", 2)
        do {
            _ = try integer("SELECT count(*) FROM sqlite_schema")
        } catch .notADatabase {
            throw .wrongKey(path: path)
        }
    }

    /// Gives a key to the SQLite connection of a handle; returns SQLite's result code.
    static func give(_ key: EncryptionKey, to handle: OpaquePointer?) -> Int32 {
        let code = give(key.settings, to: handle)
        return code == SQLITE_OK ? give(key.bytes, to: handle) : code
    }

    private static func give(_ bytes: [UInt8], to handle: OpaquePointer?) -> Int32 {
        bytes.withUnsafeBytes { sqlite3_key_v2(handle, "main", $0.baseAddress, Int32($0.count)) }
    }

    /// Encrypts the file of an SQLite connection with a new key, or decrypts the file if the key is `nil`; returns
    /// SQLite's result code.
    static func replaceKey(with key: EncryptionKey?, of handle: OpaquePointer?) -> Int32 {
        guard let key else { return sqlite3_rekey_v2(handle, "main", nil, 0) }
        let code = give(key.settings, to: handle)
        guard code == SQLITE_OK else { return code }
        return key.bytes.withUnsafeBytes { sqlite3_rekey_v2(handle, "main", $0.baseAddress, Int32($0.count)) }
    }

    private static func give(_ settings: KeyValuePairs<String, String>, to handle: OpaquePointer?) -> Int32 {
        for (name, value) in settings {
            let code = sqlite3_exec(handle, setting(name, value), nil, nil, nil)
            guard code == SQLITE_OK else { return code }
        }
        return SQLITE_OK
    }

    /// Applies the settings, and reads each one back, because SQLite ignores an unknown setting.
    private func apply(_ settings: KeyValuePairs<String, String>) throws(RepositoryError) {
        for (name, value) in settings {
            _ = try rows(Self.setting(name, value))
            let now: String? =
                switch try rows("PRAGMA \(Identifier.quoted(name))").first?.first {
                case .text(let text): text
                case .integer(let number): "\(number)"
                default: nil
                }
            guard now == value else { throw notAccepted("\(name) = \(value)") }
        }
    }

    private static func setting(_ name: String, _ value: String) -> String {
        "PRAGMA \(Identifier.quoted(name)) = \(Int(value).map(String.init) ?? Identifier.literal(value))"
    }
}

/// The key of a store, if it has one; it can change while the store is open.
final class StoreKey: Sendable {
    private let lock: Lock<EncryptionKey?>

    init(_ key: EncryptionKey?) { lock = Lock(key) }

    var current: EncryptionKey? {
        get { lock.withLock { $0 } }
        set { lock.withLock { $0 = newValue } }
    }

    /// If the store has a key, throws if the key is empty or too long, or if this build of SQLite cannot encrypt.
    func check() throws(RepositoryError) {
        if let current { try Self.check(current) }
    }

    static func check(_ key: EncryptionKey?) throws(RepositoryError) {
        guard csqlite_can_encrypt() != 0 else {
            throw .misuse(
                detail: "SQLite \(String(cString: sqlite3_libversion())) cannot encrypt: depend on this package with "
                    + "the trait OwnSQLite, and link SQLCipher or SQLite3 Multiple Ciphers")
        }
        guard let key else { return }
        guard !key.bytes.isEmpty else { throw .misuse(detail: "the key is empty, so nothing would be encrypted") }
        guard key.bytes.count <= 1 << 20 else { throw .tooBig(detail: "a key of \(key.bytes.count) bytes, over 1 MiB") }
    }
}
