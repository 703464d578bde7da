// Many items at once, on an engine that has a faster way for them than a statement for each.
extension WriteTransaction {
    /// Stores many new items in blocks, all or none; `inserted` is called with each as it is stored.
    func insert<Items: Sequence>(
        _ items: Items, in bulk: any StoreBulk, _ base: any StoreStatement,
        inserted: ((Items.Element) throws(RepositoryError) -> Void)?
    ) throws(RepositoryError) -> Int where Items.Element: Entity {
        let statements = try session.statements(of: Items.Element.self)
        let isBounded = items is any Collection
        // The items of the block, one of which may have to be named.
        var (count, block): (Int, [Items.Element]) = (0, [])
        func store() throws(RepositoryError) {
            let first = count - block.count
            if let failure = try bulk.store().first {
                let item = block[failure.index]
                let error = failure.error.map { refusal(session.connection.naming($0, of: base), of: item) }
                throw (error ?? ignored(Items.Element.self, id: item.id, base)).at(first + failure.index)
            }
            block.removeAll(keepingCapacity: true)
        }
        for item in items {
            if !isBounded, cancellation.isClosing { throw .closed }
            do throws(RepositoryError) {
                try statements.prove(with: item)
                let written = try add(item, to: bulk, isNew: true)
                try inserted?(written)
            } catch {
                // One before it may have failed as well.
                try store()
                throw refusal(error, of: item).at(count)
            }
            block.append(item)
            count += 1
            if bulk.isFull { try store() }
            if count & 1023 == 0 { try checkUsable() }
        }
        try store()
        return count
    }

    /// Hands an item over, and returns it as it will be stored.
    func add<Item: Entity>(
        _ item: Item, to bulk: any StoreBulk, isNew: Bool
    ) throws(RepositoryError) -> Item {
        var written = try kept(item)
        if isNew, let index = Item.schema.ungivenKey(of: written) {
            written = try Item.schema.item(written, withKey: try bulk.nextKey(), at: index)
        }
        try Item.schema.write(written, to: bulk.target)
        try bulk.add()
        return written
    }
}
