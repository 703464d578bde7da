import CSQLite

extension Statement {
    /// The number of parameters.
    var parameterCount: Int { Int(sqlite3_bind_parameter_count(pointer)) }

    /// Binds the id of an item to the only parameter.
    @inlinable
    func bind<Item: Entity>(id: Item.ID, of type: Item.Type) throws(RepositoryError) {
        do {
            try id.write(to: ColumnSlot(statement: pointer, index: 1, scale: keyScale))
        } catch {
            throw idFault(error, of: type)
        }
    }

    /// Steps a statement that gives one item at most, and makes it ready for the next time.
    @inlinable
    func item<Item: Entity>(of type: Item.Type) throws(RepositoryError) -> Item? {
        guard try step() else { return nil }
        defer { reset() }
        return try type.schema.decode(pointer)
    }

    @usableFromInline @inline(never)
    func idFault<Item: Entity>(_ fault: any Error, of type: Item.Type) -> RepositoryError {
        .encoding(fault, entity: Item.entityName, column: (try? Item.schema.key.name) ?? "id")
    }
}
