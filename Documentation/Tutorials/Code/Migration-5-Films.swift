import SignalRepository

@main struct Films {
    static func main() async {
        do {
            let repository = try SQLiteRepository(.file("films.sqlite"), entities: Film.self)

            for film in try await repository.fetch(Film.all.sorted(by: \.title)).value() {
                print(film.title, film.length)
            }
        } catch {
            print(error)
        }
    }
}
