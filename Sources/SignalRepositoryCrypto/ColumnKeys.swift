#if Crypto
    import RepositoryCore
    import Signals

    /// The keys of encrypted columns: the first key encrypts, and every key decrypts.
    ///
    /// ```swift
    /// enum Vault {
    ///     static let keys = ColumnKeys()
    /// }
    /// ```
    /// A schema is created once, often before a key is available. It therefore takes this object, whose keys can be set
    /// and replaced later, from any thread.
    ///
    /// - Failure: reading a value fails with `RepositoryError.decoding` if its key is missing. Writing a value fails
    ///   with `.encoding` if there is no key. `nil` needs no key.
    public final class ColumnKeys: Sendable {
        private let keys: Lock<[ColumnKey]>

        /// Creates an object with the given keys; keys can also be set later.
        public init(_ keys: ColumnKey...) {
            self.keys = Lock(keys)
        }

        /// Replaces the keys for all later reads and writes; without arguments, removes all keys.
        ///
        /// ```swift
        /// func turn(_ repository: any Repository, to key: ColumnKey, from old: ColumnKey) async throws {
        ///     Vault.keys.use(key, old)
        ///     try await repository.transaction { store in
        ///         for patient in try store.fetch(Patient.all) { try store.update(patient) }
        ///     }.value()
        ///     Vault.keys.use(key)
        /// }
        /// ```
        /// Live queries keep the values that they have already read.
        public func use(_ keys: ColumnKey...) {
            // The old keys are deallocated outside the lock.
            let old = self.keys.withLock { current in
                defer { current = keys }
                return current
            }
            _ = old
        }

        /// Encrypts bytes and binds them to `name`, the table and the column: decrypting requires the same name.
        func seal(_ plain: [UInt8], as name: String) throws -> [UInt8] {
            guard let key = all.first else { throw ColumnFault.value("there is no key to encrypt it with") }
            let head = [Self.version] + key.id
            guard let sealed = try? key.seal(plain, authenticating: head + name.utf8) else {
                throw ColumnFault.value("it could not be encrypted")
            }
            return head + sealed
        }

        /// Decrypts bytes that `seal(_:as:)` has encrypted with the same name.
        func open(_ sealed: UnsafeRawBufferPointer, as name: String) throws -> [UInt8] {
            guard sealed.first == Self.version, sealed.count > Self.headLength else {
                throw ColumnFault.value("the bytes are not an encrypted value")
            }
            let head = Array(sealed[..<Self.headLength])
            let keys = all.filter { head[1...].elementsEqual($0.id) }
            guard !keys.isEmpty else { throw ColumnFault.value("it is encrypted with a key that is not available") }
            for key in keys {
                if let plain = key.open(sealed[Self.headLength...], authenticating: head + name.utf8) { return plain }
            }
            throw ColumnFault.value("it was changed after it was encrypted, or belongs to another column")
        }

        private var all: [ColumnKey] { keys.withLock { $0 } }

        /// The first byte of an encrypted value; the key's `id`, the nonce, the encrypted bytes and the tag follow it.
        private static let version: UInt8 = 1
        private static let headLength = 1 + ColumnKey.idLength
    }

    extension ColumnKeys: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
        /// The name of the type alone, without the keys.
        public var description: String { "ColumnKeys" }

        /// The name of the type alone, without the keys.
        public var debugDescription: String { description }

        /// A mirror without children.
        public var customMirror: Mirror { Mirror(self, children: [:]) }
    }
#endif
