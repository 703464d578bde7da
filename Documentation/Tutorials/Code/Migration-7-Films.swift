import SignalRepository

@main struct Films {
    static func main() async {
        do {
            let repository = try SQLiteRepository(
                .file("films.sqlite"), entities: Film.self,
                migrations: [
                    Migration("minutes becomes length") { store in
                        try store.renameColumn("minutes", to: "length", of: "Film")
                    }
                ])

            for film in try await repository.fetch(Film.all.sorted(by: \.title)).value() {
                print(film.title, film.length)
            }
        } catch {
            print(error)
        }
    }
}
