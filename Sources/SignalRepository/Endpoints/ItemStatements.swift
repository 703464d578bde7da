extension WriteTransaction {
    /// Executes one of the statements that write an item; returns the number of rows it changed itself.
    @discardableResult
    func write<Item: Entity>(_ kind: FixedStatement, _ item: Item) throws(RepositoryError) -> Int {
        try change(try session.statements(of: Item.self)[kind]) { statement throws(RepositoryError) in
            do throws(RepositoryError) {
                try statement.bind(item, Item.schema)
                try statement.run()
            } catch {
                throw error.about(Item.self, id: item.id)
            }
            return session.connection.changes
        }
    }
}
