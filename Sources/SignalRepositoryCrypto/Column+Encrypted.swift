#if Crypto
    public import SignalRepository

    extension Column where Root: Entity {
        /// Declares a column that stores a property encrypted, so that it can be read with a key alone.
        ///
        /// ```swift
        /// static let schema = Schema(
        ///     Column("id", \Patient.id), Column("name", \.name),
        ///     Column("ssn", encrypted: \.ssn, with: Vault.keys),
        ///     Column("balance", encrypted: \.balance, with: Vault.keys, .scale(2)),
        ///     Column("notes", encryptedJSON: \.notes, with: Vault.keys), make: Patient.init)
        /// ```
        /// `nil` is NULL, and the only value that can be asked for. A value can be read in this column of this table
        /// alone.
        ///
        /// - Parameters:
        ///   - name: The name in the table.
        ///   - path: The property.
        ///   - keys: The keys, which need not be there yet.
        ///   - bound: The table and the column as they were called when the first value was encrypted, such as
        ///     `"Patient.ssn"`, once one of them has another name.
        ///   - options: As for a column that is not encrypted.
        ///
        /// - Failure: `RepositoryError.misuse` when a store is opened with such a column as a key, a reference,
        ///   `.unique`, `.indexed`, with a default or a time that the store keeps; and for every condition, order,
        ///   group and function that asks for its value. `.decoding` for a value that was encrypted with another key,
        ///   or changed, or that is of another column.
        public init<Value: ColumnValue>(
            _ name: String, encrypted path: KeyPath<Root, Value> & Sendable, with keys: ColumnKeys,
            boundTo bound: String? = nil, _ options: ColumnOption<Value>...
        ) where Codec == EncryptedCodec<DirectCodec<Value>> {
            let codec = EncryptedCodec(DirectCodec<Value>(), keys, as: bound ?? Self.bound(name))
            self.init(name: name, path: path, codec: codec, options: options)
        }

        /// Declares a column that stores a `Codable` property as JSON, encrypted.
        ///
        /// - Failure: as for a property whose type a column can hold.
        @_disfavoredOverload
        public init<Value: Codable & Sendable>(
            _ name: String, encryptedJSON path: KeyPath<Root, Value> & Sendable, with keys: ColumnKeys,
            boundTo bound: String? = nil, _ options: ColumnOption<Value>...
        ) where Codec == EncryptedCodec<JSONCodec<Value>> {
            let codec = EncryptedCodec(JSONCodec<Value>(), keys, as: bound ?? Self.bound(name))
            self.init(name: name, path: path, codec: codec, options: options)
        }

        /// Declares a column that stores an optional `Codable` property as JSON, encrypted, and `nil` as NULL.
        ///
        /// - Failure: as for a property whose type a column can hold.
        public init<Value: Codable & Sendable>(
            _ name: String, encryptedJSON path: KeyPath<Root, Value?> & Sendable, with keys: ColumnKeys,
            boundTo bound: String? = nil, _ options: ColumnOption<Value?>...
        ) where Codec == EncryptedCodec<NullableCodec<JSONCodec<Value>>> {
            let codec = EncryptedCodec(
                NullableCodec(base: JSONCodec<Value>()), keys, as: bound ?? Self.bound(name))
            self.init(name: name, path: path, codec: codec, options: options)
        }

        /// The table and the column, with a point between them that no name has.
        private static func bound(_ name: String) -> String {
            [Root.entityName, name].map { $0.replacing("%", with: "%25").replacing(".", with: "%2E") }
                .joined(separator: ".")
        }
    }
#endif
