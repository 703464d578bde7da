/// A codec that encrypts: each encoding of one value is another, so that nothing can be asked of what is stored.
///
/// What compares items, and what verifies a declaration, goes by the values of the codec underneath.
package protocol OpaqueCodec<Value>: ColumnCodec {
    associatedtype Base: ColumnCodec where Base.Value == Value
    /// How the values would be stored if they could be read.
    var base: Base { get }
    /// The name that the values are bound to, and under which alone they can be read.
    var boundName: String { get }
}

extension OpaqueCodec {
    func plainValue(_ value: Value, _ places: DecimalPlaces) throws -> SQLValue { try base.sqlValue(value, places) }

    var plainForm: StoredForm { (base as? any KnownCodec)?.form ?? .free }

    var plainClass: StorageClass { base.storageClass }
}

// What a codec of another module needs to store the values of one of this.
extension ColumnCodec {
    package func stored(_ value: Value, for slot: ColumnSlot) throws -> SQLValue { try sqlValue(value, slot.places) }

    package func value(of stored: SQLValue, scale: Int) throws -> Value {
        // Safe because the value stays in place while it is read.
        try withUnsafePointer(to: stored) { try read(from: ColumnCell($0, scale: scale)) }
    }
}

extension AnyColumn {
    /// Whether nothing can be asked of the column but whether it has a value.
    var isOpaque: Bool { form == .opaque }

    func checkAskable() throws(RepositoryError) {
        if isOpaque { throw .opaque("\(Root.rowName).\(name)") }
    }
}

extension RepositoryError {
    static func opaque(_ column: String) -> RepositoryError {
        .misuse(
            detail: "\(column) is encrypted, each time in another way: it can be read, set to a value and compared "
                + "with nil, and nothing else can be asked of it")
    }
}

extension Schema where Root: Entity {
    /// Throws when a column that is encrypted is declared to be what it cannot be.
    func checkOpaque() throws(RepositoryError) {
        let key = try key.names
        let sets =
            [(uniqueSets, "in unique:"), (indexedSets, "in indexed:"), ([searchPaths], "in search:")]
            + [(clauses.map(\.paths), "in clauses:")]
        for column in columns where column.isOpaque {
            let faults = [
                (key.contains(column.name), "the key"), (column.isUnique, ".unique"), (column.isIndexed, ".indexed"),
                (column.reference != nil, "a reference"), (column.defaultValue != nil, "given a default"),
                (column.kept != nil, "kept by the store"),
            ]
            let places = sets.map { sets, word in (sets.joined().contains { $0 == column.path }, word) }
            guard let fault = (faults + places).first(where: \.0)?.1 else { continue }
            throw .misuse(
                detail: "\(entityName).\(column.name) is encrypted, each time in another way: it cannot be \(fault)")
        }
    }

    /// The values of an item as they are stored, with those that are encrypted as they would be without.
    func plainValues(of item: Root) throws(RepositoryError) -> [SQLValue] {
        try plain(values(of: item), of: item)
    }

    /// The stored values of an item, with those that are encrypted as they would be without.
    func plain(_ stored: [SQLValue], of item: Root) throws(RepositoryError) -> [SQLValue] {
        var values = stored
        for (position, column) in columns.enumerated() where column.isOpaque {
            values[position] = try column.encodePlainly(item)
        }
        return values
    }
}
