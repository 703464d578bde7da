/// A change of one item by a commit.
public enum ObjectChange<Item: Entity>: Sendable {
    /// The item was created: no item had its id before.
    case created(Item)
    /// The item was updated; the associated value is the new item.
    case updated(Item)
    /// The item was deleted.
    case deleted
    /// The item may have changed, because the changed rows are unknown (see `ChangeSet.Reason`): read it again.
    case unknown
}

extension ObjectChange: Equatable where Item: Equatable {}

extension ObjectChange {
    /// Creates the change of one item from the changes of the item's row; `nil` if the row did not change.
    init?(_ changes: ChangeSet) throws(RepositoryError) {
        guard case .rows = changes.extent else {
            self = .unknown
            return
        }
        if let item = try changes.inserted(of: Item.self).first {
            self = .created(item)
        } else if let update = try changes.updated(of: Item.self).first {
            self = .updated(update.new)
        } else if changes.tables.contains(Item.entityName) {
            self = .deleted
        } else {
            return nil
        }
    }
}
