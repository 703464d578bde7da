import SignalRepository

struct Film: Entity, Equatable {
    var id = 0
    var title: String
    var length: Int
    var year: Int?

    static let schema = Schema(
        Column("id", \Film.id, .generated),
        Column("title", \.title),
        Column("length", \.length),
        Column("year", \.year),
        make: Film.init)
}
