import SignalRepository

@main struct Films {
    static func main() async throws {
        let repository = try SQLiteRepository(.file("films.sqlite"), entities: Film.self)

        try await repository.update(
            Film.self, set: [.set(\.year, to: 1996)]
        ) { $0.title == "Fargo" }.value()
        for film in try await repository.fetch(Film.all.sorted(by: \.title)).value() {
            print(film.title, film.minutes, film.year.map(String.init) ?? "unknown")
        }
    }
}
