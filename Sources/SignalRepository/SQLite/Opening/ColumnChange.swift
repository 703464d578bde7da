/// How the values of a column are read, and where those that are made of them are put until the old ones are gone.
struct ColumnChange {
    /// The name of the new column while both are there.
    let name: String
    /// The statement that adds the new column.
    let addition: String
    /// The statement that stores a value in the row of a number.
    let filling: String
    /// The statement that returns the numbers of rows, from one on, and the values of the old column.
    let reading: String
    private let old: ColumnShape
    private let places: Int
    private let entity: String

    private static let pageSize = 1_000

    /// Determines how to change the stored column, or throws why that cannot be done.
    init<Item: Entity, Old: ColumnValue>(
        of column: AnyColumn<Item>, in table: TableShape, entity: String, from type: Old.Type, scale: Int?
    ) throws(RepositoryError) {
        guard let old = table.columns.first(where: { $0.name == column.name }) else {
            throw .misuse(detail: "the table \(table.name) has no column \(column.name)")
        }
        var new = try ColumnShape(column, isKey: try Item.schema.key.names.contains(column.name), entity: entity)
        guard !old.isKey, !new.isKey else {
            throw .misuse(
                detail: "\(entity).\(column.name) is a key, which belongs to its table: use recreateTable(_:from:)")
        }
        (self.old, self.entity) = (old, entity)
        places = try Self.places(of: old, type, scale, entity: entity)
        new.name = column.name + "_"
        while table.columns.contains(where: { Identifier.key($0.name) == Identifier.key(new.name) }) { new.name += "_" }
        // Without a default SQLite adds no column that is not optional.
        if !new.isOptional, new.defaultLiteral == nil { new.defaultLiteral = column.storageClass.zero }
        let rowNumber = try table.rowNumber()
        let (source, oldName) = (Identifier.quoted(table.name), Identifier.quoted(old.name))
        (name, addition) = (new.name, new.addition(to: table.name))
        filling = "\(new.filling(of: table.name)) WHERE \(rowNumber) = ?"
        reading =
            "SELECT \(rowNumber), \(oldName) FROM \(source) WHERE \(rowNumber) >= ? ORDER BY \(rowNumber) "
            + "LIMIT \(Self.pageSize)"
    }

    /// The decimal places of the old values; throws where they are not what they are read as.
    private static func places<Old: ColumnValue>(
        of old: ColumnShape, _ type: Old.Type, _ scale: Int?, entity: String
    ) throws(RepositoryError) -> Int {
        let name = "\(entity).\(old.name)"
        guard old.type == type.storageClass.declaration else {
            throw .misuse(
                detail: "\(name) is stored as \(old.type) and read as \(type), which is "
                    + type.storageClass.declaration)
        }
        var places = scale ?? 0
        if type.isScaled {
            if case .scaled(let stored) = old.meaning {
                places = stored
            } else if scale == nil {
                throw .misuse(detail: "the file does not say the decimal places of \(name): name them with scale:")
            }
        }
        let meaning = ColumnMeaning(DirectCodec<Old>(), places: scale ?? places)
        if let stored = old.meaning, let meaning, stored != meaning, !(stored == .json && meaning == .text) {
            throw .misuse(detail: "\(name) holds \(stored.description) and is read as \(meaning.description)")
        }
        return places
    }

    /// Reads an old value.
    func read<Old: ColumnValue>(_ type: Old.Type, _ value: SQLValue) throws(RepositoryError) -> Old {
        do {
            return try withUnsafePointer(to: value) { try Old.read(from: ColumnCell($0, scale: places)) }
        } catch {
            throw .decoding(entity: entity, column: old.name, detail: ColumnFault.sentence(error))
        }
    }

    /// The number with which the next page begins; `nil` after the last one.
    func next(after rows: [[SQLValue]]) -> Int64? {
        guard rows.count == Self.pageSize, case .integer(let last)? = rows.last?.first, last < .max else { return nil }
        return last + 1
    }
}

extension TableShape {
    /// The name of the number that SQLite gives each row, which a column may hide.
    fileprivate func rowNumber() throws(RepositoryError) -> String {
        let name = ["_rowid_", "rowid", "oid"].first { name in
            !columns.contains { Identifier.key($0.name) == Identifier.key(name) }
        }
        if let name { return name }
        throw .misuse(detail: "the columns of \(self.name) hide the number of a row: rename one of them first")
    }
}

extension StorageClass {
    /// A value of the class, as it is written in a declaration.
    fileprivate var zero: String {
        switch self {
        case .integer: "0"
        case .real: "0.0"
        case .text: "''"
        case .blob: "x''"
        case .null: "NULL"
        }
    }
}
