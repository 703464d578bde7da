/// A value type that can be stored: a struct with an id and one declaration of its columns.
///
/// ```swift
/// struct Movie: Entity, Equatable {
///     let id: UUID
///     var title: String
///     var boxOffice: Decimal
///     static let schema = Schema(
///         Column("id", \Movie.id), Column("title", \.title), Column("boxOffice", \.boxOffice), make: Movie.init)
/// }
/// ```
public protocol Entity: Row, Fetchable, Identifiable where ID: ColumnValue, QueryTerms == Columns<Self, Self> {
    /// The key, which no two stored items of the entity share.
    var id: ID { get }
    /// The name of the table; by default the name of the type.
    static var entityName: String { get }
}

extension Entity {
    /// Defaults to the name of the type.
    public static var entityName: String { TypeName.of(Self.self) }
}

extension RepositoryError {
    @usableFromInline @inline(never)
    static func notFound<Item: Entity>(_ type: Item.Type, id: Item.ID) -> RepositoryError {
        .notFound(entity: Item.entityName, id: id.displayText)
    }

    @usableFromInline @inline(never)
    package func about<Item: Entity>(_ type: Item.Type, id: Item.ID) -> RepositoryError {
        about(FailedItem(entity: Item.entityName, id: id.displayText))
    }
}
