import SignalRepository

extension Film: Entity {
    package static let schema = Schema<Film> {
        Column("id", \.id)
        Column("title", \.title)
        Column("releaseDate", \.releaseDate)
        Column("boxOffice", \.boxOffice, .scale(Amount.scale))
        Column("studio", \.studio, .indexed)
        Column("genre", \.genre)
        Column("year", \.year)
    } decode: { row in
        try Film(
            id: row.next(), title: row.next(), releaseDate: row.next(), boxOffice: row.next(), studio: row.next(),
            genre: row.next(), year: row.next())
    }
}
