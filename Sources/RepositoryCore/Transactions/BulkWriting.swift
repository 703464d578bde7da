// Writing in blocks, for an engine that stores a block of items faster than it executes a statement for each item.
extension WriteTransaction {
    /// Stores new items in blocks, either all items or none.
    ///
    /// Calls `inserted` with each item as it will be stored.
    func insert<Items: Sequence>(
        _ items: Items, in bulk: any BulkWriter, _ base: any StoreStatement,
        inserted: ((Items.Element) throws(RepositoryError) -> Void)?
    ) throws(RepositoryError) -> Int where Items.Element: Entity {
        let statements = try session.statements(of: Items.Element.self)
        let isBounded = items is any Collection
        // The items of the block are kept, because an error names the item that failed.
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
        func take(_ item: Items.Element, _ following: ArraySlice<Items.Element>) throws(RepositoryError) {
            do throws(RepositoryError) {
                try statements.prove(with: item)
                let written = try add(item, before: following, to: bulk)
                try inserted?(written)
            } catch {
                // The store may reject an earlier item of the block. The error of that item is thrown first.
                try store()
                throw refusal(error, of: item).at(count)
            }
            block.append(item)
            count += 1
            if bulk.isFull { try store() }
            if count & 1023 == 0 { try checkUsable() }
        }
        // If the store generates keys, items are collected first, so that many keys can be generated at once.
        var batch: [Items.Element] = []
        let most = Items.Element.schema.generatedIndex == nil ? 0 : 1_000
        for item in items {
            if !isBounded, cancellation.isClosing { throw .closed }
            if most == 0 {
                try take(item, [])
                continue
            }
            batch.append(item)
            guard batch.count == most else { continue }
            for index in batch.indices { try take(batch[index], batch[(index + 1)...]) }
            batch.removeAll(keepingCapacity: true)
        }
        for index in batch.indices { try take(batch[index], batch[(index + 1)...]) }
        try store()
        return count
    }

    /// Adds a new item to a block, and returns it as it will be stored.
    ///
    /// `following` contains some of the next items, for which keys may be generated at the same time.
    func add<Item: Entity>(
        _ item: Item, before following: ArraySlice<Item>, to bulk: any BulkWriter
    ) throws(RepositoryError) -> Item {
        let schema = Item.schema
        guard let index = schema.missingKeyIndex(of: item) else { return try add(item, to: bulk) }
        let key = try bulk.nextKey { 1 + following.prefix { schema.missingKeyIndex(of: $0) != nil }.count }
        return try add(try schema.item(item, withKey: key, at: index), to: bulk)
    }

    /// Adds an item to a block, and returns it as it will be stored.
    func add<Item: Entity>(_ item: Item, to bulk: any BulkWriter) throws(RepositoryError) -> Item {
        let written = try asStored(item)
        try Item.schema.write(written, to: bulk.target)
        try bulk.add()
        return written
    }
}
