/// A codec that encrypts; two encryptions of a value are different, so queries cannot compare stored values.
///
/// To compare items and to verify schemas, the library uses the unencrypted values that the base codec encodes.
package protocol OpaqueCodec<Value>: ColumnCodec {
    associatedtype Base: ColumnCodec where Base.Value == Value
    /// The codec that encodes values before encryption.
    var base: Base { get }
    /// A name that encrypting and decrypting use; decrypting a value with any other name fails.
    var boundName: String { get }
}

extension OpaqueCodec {
    func plainValue(_ value: Value, _ places: DecimalPlaces) throws -> SQLValue { try base.sqlValue(value, places) }

    var plainEncoding: StoredEncoding { (base as? any KnownCodec)?.encoding ?? .free }

    var plainClass: StorageClass { base.storageClass }
}

// Functions for codecs in other modules that wrap a codec of this module.
extension ColumnCodec {
    package func stored(_ value: Value, for slot: ColumnSlot) throws -> SQLValue { try sqlValue(value, slot.places) }

    package func value(of stored: SQLValue, scale: Int) throws -> Value {
        // Safe because the value stays in place while it is read.
        try withUnsafePointer(to: stored) { try read(from: ColumnCell($0, scale: scale)) }
    }
}

extension AnyColumn {
    /// Whether the column is encrypted, so that a query can only test whether it has a value.
    var isOpaque: Bool { encoding == .opaque }

    func checkNotEncrypted() throws(RepositoryError) {
        if isOpaque { throw .opaque("\(Root.rowName).\(name)") }
    }
}

extension RepositoryError {
    static func opaque(_ column: String) -> RepositoryError {
        .misuse(
            detail: "\(column) is encrypted, differently each time: it can be read, set to a value and compared with "
                + "nil, but not queried otherwise")
    }
}

extension Schema where Root: Entity {
    /// Throws if an encrypted column has an option or a role that it cannot have, such as the key.
    func checkOpaque() throws(RepositoryError) {
        let key = try key.names
        let sets =
            [(uniqueSets, "in unique:"), (indexedSets, "in indexed:"), ([searchPaths], "in search:")]
            + [(clauses.map(\.paths), "in clauses:")]
        for column in columns where column.isOpaque {
            let faults = [
                (key.contains(column.name), "the key"), (column.isUnique, ".unique"), (column.isIndexed, ".indexed"),
                (column.reference != nil, "a reference"), (column.defaultValue != nil, "given a default"),
                (column.managedValue != nil, "managed by the store"),
            ]
            let roles = sets.map { sets, word in (sets.joined().contains { $0 == column.path }, word) }
            guard let fault = (faults + roles).first(where: \.0)?.1 else { continue }
            throw .misuse(
                detail: "\(entityName).\(column.name) is encrypted, differently each time: it cannot be \(fault)")
        }
    }

    /// Returns the stored values of an item, except that encrypted columns have their values before encryption.
    func plainValues(of item: Root) throws(RepositoryError) -> [SQLValue] {
        try plain(values(of: item), of: item)
    }

    /// Replaces the encrypted values of an item with the values before encryption.
    func plain(_ stored: [SQLValue], of item: Root) throws(RepositoryError) -> [SQLValue] {
        var values = stored
        for (position, column) in columns.enumerated() where column.isOpaque {
            values[position] = try column.encodePlainly(item)
        }
        return values
    }
}
