/// An attached file, whose entities can be read together with the entities of a store.
///
/// ```swift
/// struct OldMovie: Entity {
///     let id: UUID
///     var title: String
///     static let schema = Schema(Column("id", \OldMovie.id), Column("title", \.title), make: OldMovie.init)
/// }
///
/// var configuration = RepositoryConfiguration()
/// configuration.attached = [AttachedFile("archive.sqlite", as: "archive", entities: OldMovie.self)]
/// let repository = try SQLiteRepository(.file("movies.sqlite"), entities: Movie.self, configuration: configuration)
/// let both = try await repository.fetch(Movie.joined(to: OldMovie.self) { $0.id == $1.id }).value()
/// print(both.count)  // 12
/// ```
/// The file is a store of this library, or a database made by other software. The repository never writes to it. Every
/// endpoint that reads can read the file's entities, alone or together with entities of the store. A transaction that
/// writes cannot read the file's entities.
public struct AttachedFile: Sendable {
    package let path: String
    package let name: String
    package let entities: [any Entity.Type]
    package let access: StoreAccess

    /// Declares an attached file and the entities that are read from it.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - name: The name of the file in raw SQL, as in `archive.OldMovie`.
    ///   - entities: The entities to read, whose table names must not occur in the store.
    ///   - access: `.readOnly`, or `.immutable` for a file that no program changes.
    public init(
        _ path: String, as name: String, entities: any Entity.Type..., access: StoreAccess = .readOnly
    ) {
        (self.path, self.name, self.entities, self.access) = (path, name, entities, access)
    }
}
