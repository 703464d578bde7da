#if Crypto
    public import RepositoryCore

    extension Column where Root: Entity {
        /// Declares a column that stores a property encrypted; only the keys of the column can decrypt its values.
        ///
        /// ```swift
        /// static let schema = Schema(
        ///     Column("id", \Patient.id), Column("name", \.name),
        ///     Column("ssn", encrypted: \.ssn, with: Vault.keys),
        ///     Column("balance", encrypted: \.balance, with: Vault.keys, .scale(2)),
        ///     Column("notes", encryptedJSON: \.notes, with: Vault.keys), make: Patient.init)
        /// ```
        /// `nil` is stored as NULL, and is the only value that a query can test for. An encrypted value can be read
        /// only in this column of this table.
        ///
        /// - Parameters:
        ///   - name: The name in the table.
        ///   - path: The property.
        ///   - keys: The keys, which may be set later.
        ///   - bound: The names of the table and the column when the first value was encrypted, such as
        ///     `"Patient.ssn"`. Required only if one of them was renamed since.
        ///   - options: The column's options, the same as for a column that is not encrypted.
        ///
        /// - Failure: opening a store fails with `RepositoryError.misuse` if such a column is a key, a foreign key,
        ///   `.unique`, `.indexed`, managed by the store, or has a default. Every condition, ordering, grouping and
        ///   function that uses the column's value fails with `.misuse`, too. Reading a value that was encrypted with
        ///   another key, changed, or moved from another column fails with `.decoding`.
        public init<Value: ColumnValue>(
            _ name: String, encrypted path: KeyPath<Root, Value> & Sendable, with keys: ColumnKeys,
            boundTo bound: String? = nil, _ options: ColumnOption<Value>...
        ) where Codec == EncryptedCodec<DirectCodec<Value>> {
            let codec = EncryptedCodec(DirectCodec<Value>(), keys, as: bound ?? Self.bound(name))
            self.init(name: name, path: path, codec: codec, options: options)
        }

        /// Declares a column that stores a `Codable` property as encrypted JSON.
        ///
        /// - Failure: the same as for `init(_:encrypted:with:boundTo:_:)`.
        @_disfavoredOverload
        public init<Value: Codable & Sendable>(
            _ name: String, encryptedJSON path: KeyPath<Root, Value> & Sendable, with keys: ColumnKeys,
            boundTo bound: String? = nil, _ options: ColumnOption<Value>...
        ) where Codec == EncryptedCodec<JSONCodec<Value>> {
            let codec = EncryptedCodec(JSONCodec<Value>(), keys, as: bound ?? Self.bound(name))
            self.init(name: name, path: path, codec: codec, options: options)
        }

        /// Declares a column that stores an optional `Codable` property as encrypted JSON; `nil` is stored as NULL.
        ///
        /// - Failure: the same as for `init(_:encrypted:with:boundTo:_:)`.
        public init<Value: Codable & Sendable>(
            _ name: String, encryptedJSON path: KeyPath<Root, Value?> & Sendable, with keys: ColumnKeys,
            boundTo bound: String? = nil, _ options: ColumnOption<Value?>...
        ) where Codec == EncryptedCodec<NullableCodec<JSONCodec<Value>>> {
            let codec = EncryptedCodec(
                NullableCodec(base: JSONCodec<Value>()), keys, as: bound ?? Self.bound(name))
            self.init(name: name, path: path, codec: codec, options: options)
        }

        /// Returns the table's and the column's name, each with its dots and percent signs escaped, joined by a dot.
        private static func bound(_ name: String) -> String {
            [Root.entityName, name].map { $0.replacing("%", with: "%25").replacing(".", with: "%2E") }
                .joined(separator: ".")
        }
    }
#endif
