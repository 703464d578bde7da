import Foundation

// Items whose keys or times the store manages.
extension WriteTransaction {
    /// Executes a statement that writes an item, and returns the stored item.
    func store<Item: Entity>(_ kind: FixedStatement, _ item: Item) throws(RepositoryError) -> Item {
        let schema = Item.schema
        let statements = try session.statements(of: Item.self)
        let index = schema.missingKeyIndex(of: item)
        // An item without a key is inserted instead of upserted. If its generated key is already taken, the insert then
        // fails, and no other item is replaced.
        let given = index != nil && kind == .upsert ? .insert : kind
        let isExact = preservesTimes && schema.hasManagedTimes
        let kind = isExact ? given.exact : given
        // The item is verified before it gets managed times. They may give two columns the same value, which would hide
        // that the columns are exchanged.
        if schema.isStoredAsOther { try statements.prove(with: item) }
        let written = try asStored(item)
        let hasTriggers = try statements[kind].base.writtenByTriggers.contains(Item.entityName)
        let isRewritten = schema.isComputed || hasTriggers || statements.isReadBack
        // A replaced item keeps its creation time, which must be read back.
        guard index != nil || isRewritten || schema.hasManagedTimes && !isExact && kind != .insert else {
            try write(kind, written, of: item)
            // If the statements were replaced, a new trigger may have changed the item.
            let isOutdated = try session.statements(of: Item.self) !== statements
            return isOutdated ? try stored(written) : written
        }
        // This is a nested transaction, because the write must be undone if the stored row cannot be decoded.
        return try transaction { store in
            try store.write(kind, written, of: item)
            guard let index else { return try store.stored(written) }
            let new = try schema.item(written, withKey: session.connection.lastKey, at: index)
            return isRewritten ? try store.stored(new) : new
        }
    }

    /// Reads an item back, because triggers may have changed it.
    func stored<Item: Entity>(_ item: Item) throws(RepositoryError) -> Item { try stored(Item.self, id: item.id) }

    func stored<Item: Entity>(_ type: Item.Type, id: Item.ID) throws(RepositoryError) -> Item {
        if let stored = try find(type, id: id) { return stored }
        let statement = try session.statements(of: Item.self)[.read].base
        let diagnosis = session.connection.diagnosis(
            ofTrigger: "a trigger removed the item, or gave it another id", statement)
        throw .constraint(kind: .trigger, columns: [], diagnosis: diagnosis).about(type, id: id)
    }

    private func write<Item: Entity>(
        _ kind: FixedStatement, _ written: Item, of item: Item
    ) throws(RepositoryError) {
        if try write(kind, written) == 0, kind == .update || kind == .exactUpdate {
            throw try unchanged(kind, Item.self, id: item.id)
        }
    }

    /// Returns an item as it will be stored, with rounded numbers and managed times.
    func asStored<Item: Entity>(_ item: Item) throws(RepositoryError) -> Item {
        let schema = Item.schema
        guard schema.isStoredAsOther else { return item }
        do {
            return try schema.asStored(item, at: preservesTimes ? nil : time)
        } catch {
            throw refusal(error, of: item)
        }
    }

    /// Returns the id of the item that was just inserted.
    func storedID<Item: Entity>(of item: Item) throws(RepositoryError) -> Item.ID {
        guard let index = Item.schema.missingKeyIndex(of: item) else { return item.id }
        return try Item.schema.item(item, withKey: session.connection.lastKey, at: index).id
    }

    /// Adds assignments of the current time to `.updated` columns, unless times are preserved.
    func timed<Item: Entity>(_ assignments: [Assignment<Item>]) throws(RepositoryError) -> [Assignment<Item>] {
        let schema = Item.schema
        guard schema.hasManagedTimes, !preservesTimes, !assignments.isEmpty else { return assignments }
        var all = assignments
        for column in schema.managedColumns where column.value == .updated {
            if try assignments.assigns(oneOf: [column.name]) { continue }
            all.append(Assignment(column: schema.columns[column.index].path, value: .given(time)))
        }
        return all
    }
}
