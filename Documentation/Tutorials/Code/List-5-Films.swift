import SignalRepository

@main struct Films {
    static func main() async throws {
        let repository = try SQLiteRepository(.file("films.sqlite"), entities: Film.self)

        let list = Film.where { $0.minutes < 150 }.sorted(by: \.title)
        for film in try await repository.fetch(list).value() {
            print(film.title, film.minutes)
        }
    }
}
