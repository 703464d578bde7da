import SignalRepository

/// The first version of an application's films; the second renames them and the items that refer to them.
struct OldFilm: Entity {
    let id: Int
    var title: String
    var studio: String?
    var gross: Int
    static let schema = Schema(
        Column("id", \OldFilm.id), Column("title", \.title, .unique), Column("studio", \.studio, .indexed),
        Column("gross", \.gross), make: OldFilm.init)
}

/// The second version of `OldFilm`.
struct Reel: Entity, Equatable {
    let id: Int
    var title: String
    var studio: String?
    var cents: Int
    var rating: Int
    static let entityName = "Film"
    static let schema = Schema(
        Column("id", \Reel.id), Column("title", \.title, .unique), Column("studio", \.studio),
        Column("cents", \.cents, .indexed), Column("rating", \.rating, .default(5)), make: Reel.init)
}

struct OldNotice: Entity {
    let id: Int
    var film: Int
    static let entityName = "Review"
    static let schema = Schema(
        Column("id", \OldNotice.id), Column("film", \.film, .references(OldFilm.self)), make: OldNotice.init)
}

struct Notice: Entity {
    let id: Int
    var film: Int
    static let entityName = "Review"
    static let schema = Schema(
        Column("id", \Notice.id), Column("film", \.film, .references(Reel.self)), make: Notice.init)
}
