/// A column of a store that the program drops, with its values.
///
/// ```swift
/// let repository = try SQLiteRepository(
///     .file("movies.sqlite"), entities: Movie.self, dropping: [.column("gross", of: Movie.self)])
/// ```
/// A column that the entity no longer declares is dropped automatically only if it is empty, because a renamed column
/// looks the same. A column may stay in the list after it has been dropped.
public struct DroppedColumn: Sendable, Hashable {
    let entity: String
    let name: String

    /// Names a column in the table of an entity.
    public static func column(_ name: String, of entity: any Entity.Type) -> DroppedColumn {
        DroppedColumn(entity: entity.entityName, name: name)
    }
}
