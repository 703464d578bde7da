import CSQLite

extension Statement {
    /// The number of parameters.
    var parameterCount: Int { Int(sqlite3_bind_parameter_count(pointer)) }

    /// Binds the id of an item to the only parameter.
    func bind<Item: Entity>(
        _ id: Item.ID, of type: Item.Type, _ statements: EntityStatements
    ) throws(RepositoryError) {
        do {
            try id.write(to: ColumnSlot(statement: pointer, index: 1, scale: statements.keyScale))
        } catch {
            throw .encoding(error, entity: Item.entityName, column: statements.keyName)
        }
    }
}
