import SignalRepository

struct Film: Entity, Equatable {
    let id: Int
    var title: String
    var studio: Int
    var gross: Int
    static let schema = Schema(
        Column("id", \Film.id), Column("title", \.title), Column("studio", \.studio), Column("gross", \.gross),
        make: Film.init)
}

/// The number of commits that a host has made: a host that sees the number has seen the commit.
struct Mark: Entity, Equatable {
    let id: String
    var number: Int
    static let schema = Schema(Column("id", \Mark.id), Column("number", \.number), make: Mark.init)
}
