/// A key for the file of a store, for an SQLite that can encrypt: SQLCipher or SQLite3 Multiple Ciphers.
///
/// ```swift
/// let key = EncryptionKey("correct horse battery staple")
/// print(key)  // prints "EncryptionKey"
/// ```
/// The program must link such an SQLite itself, and enable the trait `OwnSQLite` of this package, because the system's
/// SQLite cannot encrypt. Each connection receives the key before it reads the file. No statement, message or log
/// contains the key, and printing or reflecting it shows nothing. The key stays in memory as long as the repository.
public struct EncryptionKey: Sendable {
    /// The passphrase or the key, as the encryption library receives it.
    package let bytes: [UInt8]
    package let settings: KeyValuePairs<String, String>

    /// Creates a key from a passphrase.
    ///
    /// SQLite derives the key slowly, so that guessing the passphrase is expensive.
    ///
    /// To pass a key that needs no derivation, use the notation of the linked SQLite: `x'2dd2…'` for SQLCipher, with 64
    /// hexadecimal digits, or `raw:2dd2…` for SQLite3 Multiple Ciphers.
    ///
    /// - Parameters:
    ///   - passphrase: the passphrase, or the key.
    ///   - settings: settings of the linked SQLite that are applied in order before the key, such as
    ///     `["cipher": "sqlcipher", "legacy": "4"]`, with which SQLite3 Multiple Ciphers opens a file of SQLCipher 4.
    public init(_ passphrase: String, settings: KeyValuePairs<String, String> = [:]) {
        self.init(bytes: passphrase.utf8, settings: settings)
    }

    /// Creates a key from a passphrase that is not text.
    public init(bytes: some Sequence<UInt8>, settings: KeyValuePairs<String, String> = [:]) {
        (self.bytes, self.settings) = (Array(bytes), settings)
    }
}

extension EncryptionKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name of the type, without the key.
    public var description: String { "EncryptionKey" }

    /// The name of the type, without the key.
    public var debugDescription: String { description }

    /// A mirror without children, so that reflection does not show the key.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
