extension TableLayout {
    /// Returns the indexes of an entity's columns; throws `.decoding` for a column that the table does not have.
    func indexes<Item: Entity>(of schema: Schema<Item>) throws(RepositoryError) -> [Int] {
        var indexes: [Int] = []
        for name in schema.names {
            guard let index = index(of: name) else {
                throw .decoding(
                    entity: Item.entityName, column: name, detail: "the table has no column of this name")
            }
            indexes.append(index)
        }
        return indexes
    }
}
