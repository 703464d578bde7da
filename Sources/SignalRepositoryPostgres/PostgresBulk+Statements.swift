import CPostgres
import SignalRepository

/// The statements of a bulk over all its rows.
extension PostgresBulk {
    /// The statement that does for all rows of a query what another does for one item.
    static func statement<Item: Entity>(
        _ kind: FixedStatement, of entity: Item.Type, _ columns: [String], _ source: SQLText, _ dialect: any Dialect
    ) throws(RepositoryError) -> SQLText {
        let (key, table) = (try Item.schema.key.names, Identifier.quoted(Item.entityName))
        let items = Self.items(of: entity)
        var sql: SQLText
        switch kind {
        case .read, .insert, .upsert, .exactUpsert: return try dialect.fixed(kind, of: entity, rows: source)
        case .update, .exactUpdate:
            sql = SQLText("UPDATE ")
            sql.append(changing: Item.entityName)
            sql.append(" SET ")
            let others = columns.filter { !key.contains($0) }
            let assigned = (others.isEmpty ? key : others).map(Identifier.quoted)
            sql.append(quoted: assigned.map { "\($0) = \(items).\($0)" }.joined(separator: ", "))
            sql.append(" FROM (")
        case .delete:
            sql = SQLText("DELETE FROM ")
            sql.append(changing: Item.entityName)
            sql.append(" USING (")
        }
        sql.append(source)
        sql.append(quoted: ") AS \(items) (")
        sql.append(names: columns)
        sql.append(") WHERE ")
        let tests = key.map(Identifier.quoted).map { "\(table).\($0) = \(items).\($0)" }
        sql.append(quoted: tests.joined(separator: " AND "))
        return sql
    }

    /// The place of the first row, of arrays of the columns of its key, that a table does not have.
    static func missing<Item: Entity>(_ entity: Item.Type, types: [String]) throws(RepositoryError) -> SQLText {
        let (key, table) = (try Item.schema.key.names, Identifier.quoted(Item.entityName))
        let (items, place) = (Self.items(of: entity), Identifier.quoted("place of the item"))
        var sql = SQLText("SELECT ")
        sql.append(quoted: "\(place) FROM unnest(")
        sql.append(quoted: types.enumerated().map { "$\($0 + 1)::\($1)[]" }.joined(separator: ", "))
        sql.append(quoted: ") WITH ORDINALITY AS \(items) (")
        sql.append(names: key)
        sql.append(quoted: ", \(place)) WHERE NOT EXISTS (SELECT 1 FROM ")
        sql.append(quoted: table)
        sql.append(" WHERE ")
        sql.append(
            quoted: key.map(Identifier.quoted).map { "\(table).\($0) = \(items).\($0)" }.joined(separator: " AND "))
        sql.append(quoted: ") ORDER BY \(place) LIMIT 1")
        return sql
    }

    /// The alias of the rows of arrays, which is the name of no table.
    private static func items<Item: Entity>(of entity: Item.Type) -> String {
        Identifier.quoted("items of \(Item.entityName)")
    }

    /// The names of the types of columns by their numbers.
    static let typeNames: [Oid: String] = [
        20: "bigint", 701: "double precision", 25: "text", 2950: "uuid", 17: "bytea",
    ]
}
