#if Crypto
    import SignalRepository
    import Signals

    /// The keys of columns: the first encrypts, and all decrypt.
    ///
    /// ```swift
    /// enum Vault {
    ///     static let keys = ColumnKeys()
    /// }
    /// ```
    /// A schema is made once, and often before there is a key. So it takes this object, which is given keys when they
    /// are there, and others later. It can be used from any thread.
    ///
    /// - Failure: without the key, a value is `RepositoryError.decoding` when it is read, and without any `.encoding`
    ///   when it is written; `nil` needs none.
    public final class ColumnKeys: Sendable {
        private let keys: Lock<[ColumnKey]>

        /// Takes keys, or none yet.
        public init(_ keys: ColumnKey...) {
            self.keys = Lock(keys)
        }

        /// Goes on with other keys, from the next value on; with none, the earlier ones are forgotten.
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
        /// Values that live queries hold stay as they were read.
        public func use(_ keys: ColumnKey...) {
            // Released after the lock is.
            let old = self.keys.withLock { current in
                defer { current = keys }
                return current
            }
            _ = old
        }

        /// Encrypts bytes, which can be read under a name alone.
        func seal(_ plain: [UInt8], as name: String) throws -> [UInt8] {
            guard let key = all.first else { throw ColumnFault.value("there is no key to encrypt it with") }
            let head = [Self.version] + key.id
            guard let sealed = try? key.seal(plain, authenticating: head + name.utf8) else {
                throw ColumnFault.value("it could not be encrypted")
            }
            return head + sealed
        }

        /// Decrypts what `seal(_:as:)` has made under the same name.
        func open(_ sealed: UnsafeRawBufferPointer, as name: String) throws -> [UInt8] {
            guard sealed.first == Self.version, sealed.count > Self.headLength else {
                throw ColumnFault.value("the bytes are not those of an encrypted value")
            }
            let head = Array(sealed[..<Self.headLength])
            let keys = all.filter { head[1...].elementsEqual($0.id) }
            guard !keys.isEmpty else { throw ColumnFault.value("it is encrypted with a key that is not here") }
            for key in keys {
                if let plain = key.open(sealed[Self.headLength...], authenticating: head + name.utf8) { return plain }
            }
            throw ColumnFault.value("it was changed after it was encrypted, or belongs into another column")
        }

        private var all: [ColumnKey] { keys.withLock { $0 } }

        /// The form of the bytes: this number, what tells the key, the nonce, what is encrypted, the tag.
        private static let version: UInt8 = 1
        private static let headLength = 1 + ColumnKey.idLength
    }

    extension ColumnKeys: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
        /// Shows nothing of them.
        public var description: String { "ColumnKeys" }

        /// Shows nothing of them.
        public var debugDescription: String { description }

        /// Shows nothing of them.
        public var customMirror: Mirror { Mirror(self, children: [:]) }
    }
#endif
