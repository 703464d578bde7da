import SignalRepository

struct Film: Entity, Equatable {
    var id = 0
    var title: String
    var minutes: Int

    static let schema = Schema(
        Column("id", \Film.id, .generated),
        Column("title", \.title),
        Column("minutes", \.minutes),
        make: Film.init)
}
