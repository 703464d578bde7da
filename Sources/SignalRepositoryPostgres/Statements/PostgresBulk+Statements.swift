import CPostgres
import RepositoryCore

extension PostgresBulk {
    /// Returns the variant of a fixed statement that works on all rows of a query instead of on one item.
    static func statement<Item: Entity>(
        _ kind: FixedStatement, of entity: Item.Type, _ columns: [String], _ source: SQLText, _ dialect: any Dialect
    ) throws(RepositoryError) -> SQLText {
        let key = try Item.schema.key.names
        let items: SQLText =
            "(\(source)) AS \(name: alias(of: entity)) (\(names: columns)) WHERE \(tests(of: entity, key))"
        switch kind {
        case .read, .insert, .upsert, .exactUpsert: return try dialect.fixed(kind, of: entity, rows: source)
        case .update, .exactUpdate:
            let others = columns.filter { !key.contains($0) }
            let assignments: [SQLText] = (others.isEmpty ? key : others).map {
                "\(name: $0) = \(StoredColumn($0, of: alias(of: entity)))"
            }
            return "UPDATE \(changing: Item.entityName) SET \(assignments) FROM \(items)"
        case .delete: return "DELETE FROM \(changing: Item.entityName) USING \(items)"
        }
    }

    /// Returns a query for the one-based index of the first row that is missing from a table.
    ///
    /// Its parameters are the keys of the rows: one array for each key column.
    static func missing<Item: Entity>(_ entity: Item.Type, types: [String]) throws(RepositoryError) -> SQLText {
        let (key, index) = (try Item.schema.key.names, "index of the item")
        return """
            SELECT \(name: index) FROM unnest(\(arrays(of: types))) \
            WITH ORDINALITY AS \(name: alias(of: entity)) (\(names: key), \(name: index)) \
            WHERE NOT EXISTS (SELECT 1 FROM \(name: Item.entityName) WHERE \(tests(of: entity, key))) \
            ORDER BY \(name: index) LIMIT 1
            """
    }

    /// Returns a parameter for each column: an array of the column's type.
    static func arrays(of types: [String]) -> SQLText {
        let arrays: [SQLText] = types.enumerated().map { "$\(quoted: "\($0 + 1)::\($1)")[]" }
        return "\(arrays)"
    }

    /// Returns the condition that a row of the table and a row of the arrays have the same key.
    private static func tests<Item: Entity>(of entity: Item.Type, _ key: [String]) -> SQLText {
        let tests: [SQLText] = key.map {
            "\(StoredColumn($0, of: Item.entityName)) = \(StoredColumn($0, of: alias(of: entity)))"
        }
        return "\(tests, separator: " AND ")"
    }

    /// The alias of the rows of the arrays, chosen so that no table has this name.
    private static func alias<Item: Entity>(of entity: Item.Type) -> String { "items of \(Item.entityName)" }

    static let typeNames: [Oid: String] = [
        20: "bigint", 701: "double precision", 25: "text", 2950: "uuid", 17: "bytea",
    ]
}
