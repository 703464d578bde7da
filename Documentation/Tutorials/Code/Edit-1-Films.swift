import SignalRepository

@main struct Films {
    static func main() async throws {
        let repository = try SQLiteRepository(.file("films.sqlite"), entities: Film.self)

        let query = Film.where { $0.title == "Emma" }
        if var emma = try await repository.first(query).value() {
            emma.minutes = 125
            try await repository.update(emma).value()
        }

        for film in try await repository.fetch(Film.all.sorted(by: \.title)).value() {
            print(film.title, film.minutes)
        }
    }
}
