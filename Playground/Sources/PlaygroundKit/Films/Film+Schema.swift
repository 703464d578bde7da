import SignalRepository

extension Film: Entity {
    static let schema = Schema(
        Column("id", \Film.id), Column("title", \.title), Column("releaseDate", \.releaseDate),
        Column("boxOffice", \.boxOffice, .scale(Amount.scale)), Column("studio", \.studio, .indexed),
        Column("genre", \.genre), Column("year", \.year),
        make: Film.init(id:title:releaseDate:boxOffice:studio:genre:year:))
}
