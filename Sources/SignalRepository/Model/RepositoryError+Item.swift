extension RepositoryError {
    /// The error as one about the item of an entity with an id.
    @usableFromInline @inline(never)
    func about<Item: Entity>(_ type: Item.Type, id: Item.ID) -> RepositoryError {
        about(FailedItem(entity: Item.entityName, id: "\(id)"))
    }
}
