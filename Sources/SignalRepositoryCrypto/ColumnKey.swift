#if Crypto
    import Crypto
    public import Foundation
    public import SignalRepository

    /// A key that the values of columns are encrypted with, by AES-256 in Galois/Counter Mode.
    ///
    /// ```swift
    /// let key = try ColumnKey(SymmetricKey(size: .bits256))
    /// ```
    /// Printing or reflecting it shows nothing. A key is good for four thousand million values; take another one then.
    public struct ColumnKey: Sendable {
        /// How many bytes tell keys apart in what they have encrypted.
        static let idLength = 4

        private let key: SymmetricKey
        /// What tells the key from others, and says nothing else about it.
        let id: [UInt8]

        /// Takes the 32 bytes of a key: those of a `SymmetricKey`, of `Data`, of an array.
        ///
        /// A passphrase is no key: derive one from it, slowly.
        ///
        /// - Failure: `RepositoryError.misuse` for another number of bytes.
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

        /// Encrypts bytes; what they are `authenticating` has to be the same when they are decrypted.
        func seal(_ plain: [UInt8], authenticating context: [UInt8]) throws -> Data {
            guard let sealed = try AES.GCM.seal(plain, using: key, authenticating: context).combined else {
                throw CryptoKitError.incorrectParameterSize
            }
            return sealed
        }

        /// Decrypts bytes; `nil` when they are not what was encrypted with this key.
        func open(_ sealed: UnsafeRawBufferPointer.SubSequence, authenticating context: [UInt8]) -> [UInt8]? {
            guard let box = try? AES.GCM.SealedBox(combined: sealed),
                let plain = try? AES.GCM.open(box, using: key, authenticating: context)
            else { return nil }
            return Array(plain)
        }
    }

    extension ColumnKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
        /// Shows nothing of it.
        public var description: String { "ColumnKey" }

        /// Shows nothing of it.
        public var debugDescription: String { description }

        /// Shows nothing of it.
        public var customMirror: Mirror { Mirror(self, children: [:]) }
    }
#endif
