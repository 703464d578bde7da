extension TableLayout {
    /// Returns the indexes of an entity's columns; a column that the table does not have is `.decoding`.
    func places<Item: Entity>(of schema: Schema<Item>) throws(RepositoryError) -> [Int] {
        var places: [Int] = []
        for name in schema.names {
            guard let place = place(of: name) else {
                throw .decoding(
                    entity: Item.entityName, column: name, detail: "the table has no column of this name")
            }
            places.append(place)
        }
        return places
    }
}
