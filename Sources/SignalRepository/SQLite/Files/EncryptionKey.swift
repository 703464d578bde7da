/// What the file of a store is encrypted with, by an SQLite that can: SQLCipher, SQLite3 Multiple Ciphers.
///
/// ```swift
/// let key = EncryptionKey("correct horse battery staple")
/// print(key)  // prints "EncryptionKey"
/// ```
/// The program links that SQLite itself, and depends on this package with the trait `OwnSQLite`; the system's SQLite
/// cannot encrypt. The key is given to each connection before anything else. It is in no statement, message or log, and
/// printing or reflecting it shows nothing; it is in memory as long as the repository is.
public struct EncryptionKey: Sendable {
    /// What the library makes the key of.
    let bytes: [UInt8]
    let settings: KeyValuePairs<String, String>

    /// A passphrase, of which the library derives the key; slowly, so that it is hard to guess.
    ///
    /// Where the key itself is there, it is spelled as the library wants it: `x'2dd2…'` for SQLCipher, 64 hexadecimal
    /// digits, `raw:2dd2…` for SQLite3 Multiple Ciphers.
    ///
    /// - Parameters:
    ///   - passphrase: the passphrase, or the key.
    ///   - settings: settings of the library that hold before the key is used, in their order, such as
    ///     `["cipher": "sqlcipher", "legacy": "4"]`, by which SQLite3 Multiple Ciphers opens a file of SQLCipher 4.
    public init(_ passphrase: String, settings: KeyValuePairs<String, String> = [:]) {
        self.init(bytes: passphrase.utf8, settings: settings)
    }

    /// A passphrase that is not text.
    public init(bytes: some Sequence<UInt8>, settings: KeyValuePairs<String, String> = [:]) {
        (self.bytes, self.settings) = (Array(bytes), settings)
    }
}

extension EncryptionKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Shows nothing of it.
    public var description: String { "EncryptionKey" }

    /// Shows nothing of it.
    public var debugDescription: String { description }

    /// Shows nothing of it.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
