import SignalRepository

@main struct Films {
    static func main() async throws {
        let repository = try SQLiteRepository(.file("films.sqlite"), entities: Film.self)

        let sum = repository.sumSubscription(of: \Film.minutes)
        for try await minutes in sum.values {
            print(minutes, "minutes in all")
            if minutes != 510 { break }
            try await repository.update(
                Film.self, set: [.set(\.minutes, to: \.minutes + 1)]
            ) { $0.minutes < 120 }.value()
        }
    }
}
