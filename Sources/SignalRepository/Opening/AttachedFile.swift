/// Another file whose entities can be read beside those of a store.
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
/// The file is a store of this library, or one that something else has made; it is never written. Its entities are read
/// by every verb that reads, alone and together with those of the store. Inside a transaction that writes they are not
/// there.
public struct AttachedFile: Sendable {
    let path: String
    let name: String
    let entities: [any Entity.Type]
    let access: StoreAccess

    /// Names a file, and those of its entities that are read by name.
    ///
    /// - Parameters:
    ///   - path: where the file is.
    ///   - name: what SQL of the program's own calls the file, as in `archive.OldMovie`.
    ///   - entities: their tables have names that the store has not.
    ///   - access: `.readOnly`, or `.immutable` for a file that nobody changes.
    public init(
        _ path: String, as name: String, entities: any Entity.Type..., access: StoreAccess = .readOnly
    ) {
        (self.path, self.name, self.entities, self.access) = (path, name, entities, access)
    }
}
