/// A change of a stored column to its current declaration, with the information to read the old values.
struct ColumnChange {
    let old: ColumnShape
    /// The column as it is declared now.
    let new: ColumnShape
    private let places: Int
    private let entity: String

    /// Determines how to change the stored column, or throws if it cannot be changed.
    init<Item: Entity, Old: ColumnValue>(
        of column: AnyColumn<Item>, in table: TableShape, entity: String, from type: Old.Type, scale: Int?,
        _ types: any ColumnTypes
    ) throws(RepositoryError) {
        guard let old = table.columns.first(where: { $0.name == column.name }) else {
            throw .misuse(detail: "the table \(table.name) has no column \(column.name)")
        }
        new = try ColumnShape(
            column, isKey: try Item.schema.key.names.contains(column.name), entity: entity, in: types)
        guard !old.isKey, !new.isKey else {
            throw .misuse(
                detail: "\(entity).\(column.name) is a key: use recreateTable(_:from:) to change it")
        }
        (self.old, self.entity) = (old, entity)
        places = try Self.places(of: old, type, scale, entity: entity, types)
    }

    /// Returns the decimal places of the old values, or throws if the stored values are not of the type `Old`.
    private static func places<Old: ColumnValue>(
        of old: ColumnShape, _ type: Old.Type, _ scale: Int?, entity: String, _ types: any ColumnTypes
    ) throws(RepositoryError) -> Int {
        let name = "\(entity).\(old.name)"
        let read = types.name(of: type.storageClass, holdsIDs: isUUID(type))
        guard old.type == read else {
            throw .misuse(detail: "\(name) is stored as \(old.type), but \(type) is read from \(read)")
        }
        var places = scale ?? 0
        if type.isScaled {
            if case .scaled(let stored) = old.meaning {
                places = stored
            } else if scale == nil {
                throw .misuse(detail: "the file does not record the decimal places of \(name): pass them with scale:")
            }
        }
        let meaning = ColumnMeaning(DirectCodec<Old>(), places: scale ?? places)
        if let stored = old.meaning, stored.isEncrypted {
            throw .misuse(detail: "\(name) holds \(stored.description), which a migration cannot read")
        }
        if let stored = old.meaning, let meaning, stored != meaning, !(stored == .json && meaning == .text) {
            throw .misuse(detail: "\(name) holds \(stored.description) and is read as \(meaning.description)")
        }
        return places
    }

    func read<Old: ColumnValue>(_ type: Old.Type, _ value: SQLValue) throws(RepositoryError) -> Old {
        do {
            return try withUnsafePointer(to: value) { try Old.read(from: ColumnCell($0, scale: places)) }
        } catch {
            throw .decoding(entity: entity, column: old.name, detail: ColumnFault.sentence(error))
        }
    }
}
