import CSQLite

extension Statement {
    /// The number of parameters.
    var parameterCount: Int { Int(sqlite3_bind_parameter_count(pointer)) }

    /// Binds the id of an item to the only parameter.
    func bind<Item: Entity>(_ id: Item.ID, of type: Item.Type) throws(RepositoryError) {
        let key = try Item.schema.key
        do {
            try id.write(to: ColumnSlot(statement: pointer, index: 1, scale: key.scale ?? 0))
        } catch {
            throw .encoding(error, entity: Item.entityName, column: key.name)
        }
    }
}
