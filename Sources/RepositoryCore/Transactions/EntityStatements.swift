/// The statements of one entity that depend only on its declaration, prepared on a connection when first used.
package final class EntityStatements {
    /// The scale (decimal places) of the key; -1 for a composite key.
    private let keyScale: Int
    /// Whether an item must be read back after a write, because the store may change its texts.
    let isReadBack: Bool
    private let connection: any StoreConnection
    private let text: (FixedStatement) throws(RepositoryError) -> SQLText
    private var prepared: [EntityStatement?]
    /// The `SchemaVerifier` that verifies the declaration with each written item; `nil` once the verification is
    /// complete.
    private var proof: AnyObject?

    package init<Item: Entity>(of entity: Item.Type, on connection: any StoreConnection) throws(RepositoryError) {
        let key = try Item.schema.key
        keyScale = key.isComposite ? -1 : key.columns[0].scale ?? 0
        self.connection = connection
        isReadBack = connection.dialect.changesTexts(of: Item.entityName)
        text = { kind throws(RepositoryError) in try connection.dialect.fixed(kind, of: entity) }
        prepared = Array(repeating: nil, count: FixedStatement.allCases.count)
        proof = SchemaVerifier<Item>()
    }

    /// Throws if the entity's declaration would not read this item back as it was written.
    package func prove<Item: Entity>(with item: Item) throws(RepositoryError) {
        guard let proof, let proof = proof as? SchemaVerifier<Item> else { return }
        try proof.verify(with: item)
        if proof.isComplete { self.proof = nil }
    }

    /// Returns a statement, ready to be bound.
    package subscript(kind: FixedStatement) -> EntityStatement {
        get throws(RepositoryError) {
            if let statement = prepared[kind.rawValue] { return statement }
            let statement = EntityStatement(try connection.prepared(try text(kind)), keyScale: keyScale)
            prepared[kind.rawValue] = statement
            return statement
        }
    }
}
