/// A column of a store that the program drops, with its values.
///
/// ```swift
/// let repository = try SQLiteRepository(
///     .file("movies.sqlite"), entities: Movie.self, dropping: [.column("gross", of: Movie.self)])
/// ```
/// A column that the entity does not declare is dropped automatically only if it holds no values, because the program
/// may have renamed it. A column may stay in the list `dropping:` after it has been dropped.
public struct DroppedColumn: Sendable, Hashable {
    let entity: String
    let name: String

    /// Names a column in the table of an entity.
    public static func column(_ name: String, of entity: any Entity.Type) -> DroppedColumn {
        DroppedColumn(entity: entity.entityName, name: name)
    }
}
