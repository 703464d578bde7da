import SignalRepository

func shortFilms(in repository: some Repository) async throws -> [String] {
    let films = Film.where { $0.length < 100 }.sorted(by: \.title)
    return try await repository.fetch(films).value().map(\.title)
}
