import SignalRepository

@main struct Films {
    static func main() async throws {
        let repository = try SQLiteRepository(.file("films.sqlite"), entities: Film.self)

        if try await repository.count(Film.self).value() == 0 {
            try await repository.insert([
                Film(title: "Fargo", minutes: 98),
                Film(title: "Heat", minutes: 170),
                Film(title: "Emma", minutes: 120),
            ]).value()
        }
        print(try await repository.count(Film.self).value(), "films")
    }
}
