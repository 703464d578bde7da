import SignalRepository

@main struct Films {
    static func main() async throws {
        let repository = try SQLiteRepository(.file("films.sqlite"), entities: Film.self)

        let list = Film.where { $0.minutes < 150 }.sorted(by: \.title)
        for try await update in repository.listSubscription(list).values {
            print(update.items.map(\.title))
            if update.items.count == 3 { break }
            try await repository.create(Film(title: "Alien", minutes: 117)).value()
        }
    }
}
