// Copies items from another file; the stored values are copied unchanged.
extension WriteTransaction {
    /// Stores the source's items of the given entities, and returns how many it stored.
    func copy(
        _ entities: [any Entity.Type], from source: CopySource, to connection: Connection, _ existing: ExistingItems
    ) throws(RepositoryError) -> Int {
        let references = try References(connection)
        let (ordered, isCircular) = references.inOrder(entities)
        if isCircular {
            try connection.deferReferences()
            session.forgetAllStatements()
        }
        return try source.session.connection.withCancellation(cancellation) { () throws(RepositoryError) in
            var count = 0
            for entity in ordered { count += try copy(entity, from: source, to: connection, existing) }
            guard connection.hasBrokenReferences else { return count }
            for entity in ordered {
                if let error = try broken(references, of: entity, source, connection) { throw error }
            }
            throw .constraint(kind: .foreignKey, columns: [], diagnosis: connection.diagnosisOfReference)
        }
    }

    private func copy<Item: Entity>(
        _ type: Item.Type, from source: CopySource, to connection: Connection, _ existing: ExistingItems
    ) throws(RepositoryError) -> Int {
        let schema = Item.schema
        // If an item has no columns except its key, there is nothing to replace.
        let isOnlyKey = try schema.changeableNames().isEmpty
        let isReplacing = existing == .replaced && !isOnlyKey
        let isLooking = existing != .refused && !isReplacing
        let statements = try session.statements(of: type)
        let reading = try statements[.read]
        let rows = try source.rows(of: type)
        defer { rows.reset() }
        let writing = try connection.prepared(session.dialect.fixed(isReplacing ? .upsert : .insert, of: type))
        return try change(writing) { base throws(RepositoryError) in
            var (index, count) = (0, 0)
            while try rows.step() {
                // Decoding the row checks that it is valid; the stored values are then copied unchanged.
                let item: Item
                do throws(RepositoryError) { item = try schema.item(at: rows.row) } catch { throw error.at(index) }
                let exists = isLooking ? try reading.finds(item) : false
                if !exists {
                    do throws(RepositoryError) {
                        try writing.bind(rowOf: rows, count: schema.writtenCount)
                        try writing.run()
                    } catch {
                        throw refusal(error, of: item).at(index)
                    }
                    if connection.changes == 0 { throw ignored(type, id: item.id, base).at(index) }
                    count += 1
                }
                index += 1
                if index & 1023 == 0 { try checkUsable() }
            }
            return count
        }
    }

    /// Returns the error for the first item of the source that refers to a missing row, or `nil`.
    private func broken<Item: Entity>(
        _ references: References, of type: Item.Type, _ source: CopySource, _ connection: Connection
    ) throws(RepositoryError) -> RepositoryError? {
        let sources = ReadTransaction(source.session, cancellation)
        for (columns, query) in references.broken(in: Item.entityName, selecting: Item.schema.nameList) {
            let rows = try connection.prepare(query)
            while try rows.step() {
                let item = try Item.schema.item(at: rows.row)
                // An item that the source lacks was in the store, with its violated foreign key, before the copy.
                guard try sources.find(type, id: item.id) != nil else { continue }
                return .constraint(kind: .foreignKey, columns: columns, diagnosis: connection.diagnosisOfReference)
                    .about(type, id: item.id)
            }
        }
        return nil
    }
}

extension EntityStatement {
    /// Returns whether this statement, which reads an item by its id, finds a row with the id of `item`.
    fileprivate func finds<Item: Entity>(_ item: Item) throws(RepositoryError) -> Bool {
        try bind(id: item.id, of: Item.self)
        return try base.first { _ in true } ?? false
    }
}

extension References {
    /// Returns the entities, each after the entities to which its foreign keys refer, and whether a cycle prevents that
    /// order.
    fileprivate func inOrder(_ entities: [any Entity.Type]) -> (entities: [any Entity.Type], isCircular: Bool) {
        var (ordered, left): ([any Entity.Type], [any Entity.Type]) = ([], entities)
        func refers(_ entity: any Entity.Type, to other: any Entity.Type) -> Bool {
            targets(of: entity.entityName).contains { Identifier.key($0) == Identifier.key(other.entityName) }
        }
        while let index = left.firstIndex(where: { entity in !left.contains { refers(entity, to: $0) } }) {
            ordered.append(left.remove(at: index))
        }
        return (ordered + left, !left.isEmpty)
    }
}
