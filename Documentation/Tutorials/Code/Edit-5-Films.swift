import SignalRepository

@main struct Films {
    static func main() async throws {
        let repository = try SQLiteRepository(.file("films.sqlite"), entities: Film.self)

        do {
            try await repository.transaction { store in
                try store.delete(Film.self) { $0.title == "Heat" }
                try store.delete(Film.self, id: 99)
            }.value()
        } catch {
            print(error)
        }
        print(try await repository.count(Film.self).value(), "films")
    }
}
