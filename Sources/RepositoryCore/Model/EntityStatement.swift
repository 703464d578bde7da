/// A prepared statement of an entity, to which items are bound one after another.
///
/// It keeps the row and the parameters of the statement, so that they are not looked up again for each item.
@usableFromInline
package final class EntityStatement {
    @usableFromInline package let base: any StoreStatement
    @usableFromInline package let row: RowSource
    @usableFromInline package let target: RowTarget
    /// The number of decimal places of the key; -1 for a key of several columns.
    @usableFromInline package let keyScale: Int

    package init(_ base: any StoreStatement, keyScale: Int) {
        (self.base, self.keyScale) = (base, keyScale)
        (row, target) = (base.row, base.target)
    }

    /// Binds the id of an item to a statement that has one parameter for each column of the key.
    @inlinable
    package func bind<Item: Entity>(id: Item.ID, of type: Item.Type) throws(RepositoryError) {
        guard keyScale >= 0 else { return try bind(parts: id, of: type) }
        do {
            try id.write(to: ColumnSlot(target, index: 1, places: DecimalPlaces(keyScale)))
        } catch {
            throw idFault(error, of: type)
        }
    }

    @usableFromInline @inline(never)
    package func bind<Item: Entity>(parts id: Item.ID, of type: Item.Type) throws(RepositoryError) {
        try base.bind(try type.schema.key.values(of: id))
    }

    @usableFromInline @inline(never)
    package func idFault<Item: Entity>(_ fault: any Error, of type: Item.Type) -> RepositoryError {
        .encoding(fault, entity: Item.entityName, column: (try? Item.schema.key.name) ?? "id")
    }

    /// Executes a statement that returns at most one item.
    @inlinable
    package func item<Item: Entity>(of type: Item.Type) throws(RepositoryError) -> Item? {
        guard try base.step() else { return nil }
        defer { base.reset() }
        return try type.schema.decode(row)
    }

    /// Binds the values of an item to the first parameters, in the order of the schema.
    package func bind<Item: Entity>(_ item: Item, _ schema: Schema<Item>) throws(RepositoryError) {
        try schema.write(item, to: target)
        // NULL makes the engine assign the key.
        if let index = schema.missingKeyIndex(of: item) { try base.bind(.null, at: index + 1) }
    }

    /// Executes a statement that returns no rows.
    package func run() throws(RepositoryError) {
        while try base.step() {}
    }
}

extension Schema {
    /// Writes the values of an item, in the order of the columns.
    @inline(__always)
    package func write(_ item: Root, to target: RowTarget) throws(RepositoryError) {
        let outcome = withUnsafePointer(to: item) { item in
            Result { () throws(RepositoryError) in try encode(item, target) }
        }
        try outcome.get()
    }
}
