/// The statements of one entity on one connection that need only its declaration, prepared when first used.
package final class EntityStatements {
    /// The scale of the key; -1 for a composite one.
    private let keyScale: Int
    /// Whether an item must be read again to know how it was stored.
    let isReadBack: Bool
    private let connection: any StoreConnection
    private let text: (FixedStatement) throws(RepositoryError) -> SQLText
    private var prepared: [EntityStatement?]
    /// What of the declaration is still to be verified: a `SchemaProof` of the entity; `nil` once nothing is.
    private var proof: AnyObject?

    package init<Item: Entity>(of entity: Item.Type, on connection: any StoreConnection) throws(RepositoryError) {
        let key = try Item.schema.key
        keyScale = key.isComposite ? -1 : key.columns[0].scale ?? 0
        self.connection = connection
        isReadBack = connection.dialect.changesTexts(of: Item.entityName)
        text = { kind throws(RepositoryError) in try connection.dialect.fixed(kind, of: entity) }
        prepared = Array(repeating: nil, count: FixedStatement.allCases.count)
        proof = SchemaProof<Item>()
    }

    /// Throws when the entity's declaration does not read back what it writes, as far as this item shows it.
    package func prove<Item: Entity>(with item: Item) throws(RepositoryError) {
        guard let proof, let proof = proof as? SchemaProof<Item> else { return }
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
