import SignalRepository

@main struct Films {
    static func main() async throws {
        let repository = try SQLiteRepository(.inMemory, entities: Film.self)

        let fargo = Film(title: "Fargo", minutes: 98)
        let stored = try await repository.create(fargo).value()
        print("\(stored.title) has the number \(stored.id).")
    }
}
