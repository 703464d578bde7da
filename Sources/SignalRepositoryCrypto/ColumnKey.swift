#if Crypto
    import Crypto
    public import Foundation
    public import RepositoryCore

    /// A key that encrypts column values with AES-256 in Galois/Counter Mode.
    ///
    /// ```swift
    /// let key = try ColumnKey(SymmetricKey(size: .bits256))
    /// ```
    /// Printing or reflecting a key does not show its bytes. Replace a key before it has encrypted four billion values.
    public struct ColumnKey: Sendable {
        /// The number of bytes that identify the key in an encrypted value.
        static let idLength = 4

        private let key: SymmetricKey
        /// The bytes that identify the key among other keys; they reveal nothing else about the key.
        let id: [UInt8]

        /// Creates a key from 32 bytes: a `SymmetricKey`, `Data`, or an array.
        ///
        /// Do not pass the bytes of a passphrase: derive a key from it with a slow function, such as scrypt.
        ///
        /// - Failure: `RepositoryError.misuse` for any other number of bytes.
        public init(_ bytes: some ContiguousBytes) throws(RepositoryError) {
            let key = bytes.withUnsafeBytes { SymmetricKey(data: $0) }
            guard key.bitCount == 256 else {
                throw .misuse(detail: "the key of a column has \((key.bitCount / 8).counted("byte")); it must have 32")
            }
            let id = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: key, info: Data("SignalRepository, the name of a key".utf8),
                outputByteCount: Self.idLength)
            self.key = key
            // Safe because the bytes are copied.
            self.id = id.withUnsafeBytes { Array($0) }
        }

        /// Encrypts bytes; decrypting them requires the same `context`.
        func seal(_ plain: [UInt8], authenticating context: [UInt8]) throws -> Data {
            guard let sealed = try AES.GCM.seal(plain, using: key, authenticating: context).combined else {
                throw CryptoKitError.incorrectParameterSize
            }
            return sealed
        }

        /// Decrypts bytes; returns `nil` unless this key encrypted them with the same `context`.
        func open(_ sealed: UnsafeRawBufferPointer.SubSequence, authenticating context: [UInt8]) -> [UInt8]? {
            guard let box = try? AES.GCM.SealedBox(combined: sealed),
                let plain = try? AES.GCM.open(box, using: key, authenticating: context)
            else { return nil }
            return Array(plain)
        }
    }

    extension ColumnKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
        /// The name of the type alone, without the key.
        public var description: String { "ColumnKey" }

        /// The name of the type alone, without the key.
        public var debugDescription: String { description }

        /// A mirror without children.
        public var customMirror: Mirror { Mirror(self, children: [:]) }
    }
#endif
