import Foundation
import SignalRepository

/// The tour's steps: create, follow, import, group, delete.
struct Tour: Sendable {
    let screen: Screen
    let filmCount: Int

    func run() async throws(RepositoryError) {
        let repository = try SQLiteRepository(.inMemory, entities: Film.self)
        try await create(in: repository)
        try await importFilms(into: repository)
        try await group(repository)
        try await deleteWhileFollowing(repository)
        await repository.close().value()
        title("That was the tour. Next: playground import FILE --store films.sqlite, and playground help")
    }

    /// Creates one film and reads it back; the signal of an endpoint starts when it is awaited or attached.
    private func create(in repository: SQLiteRepository) async throws(RepositoryError) {
        title("1. Create a film, and read it back")
        let film = Film(
            title: "The Land Girls", releaseDate: ReleaseDate.parse("1998-06-12"), boxOffice: 146_083,
            studio: "Gramercy",
            genre: nil)
        try await repository.create(film).value()
        let read = try await repository.read(Film.self, id: film.id).value()
        screen.print("   \(read.json)")
    }

    /// Imports generated films batch by batch, paced by demand, while a live query shows the count and the sum.
    private func importFilms(into repository: SQLiteRepository) async throws(RepositoryError) {
        title("2. Import \(filmCount) films, while a subscription follows count and sum")
        let batches = FilmBatches(films: FilmGenerator(count: filmCount), size: max(1, filmCount / 40))
        let display = ImportDisplay(screen, total: filmCount)
        let live = repository.follow(FilmTotals.live())
            .sink(onValue: { display.show($0.value) }, onCompletion: { _ in })
        defer { live.cancel() }
        let counts = Signal<[Film], RepositoryError>.sequence(batches)
            .flatMap(maxConcurrent: .max(1)) { repository.insert($0) }
            .scan(0, +)
        for try await rows in counts.values { display.advance(to: rows, rows: rows) }
        display.finish(try await repository.follow(FilmTotals.live()).value().value)
    }

    /// Groups the films in the database, without loading a film.
    private func group(_ repository: SQLiteRepository) async throws(RepositoryError) {
        title("3. Sum up by studio, in the database")
        let groups = try await repository.read { try $0.statistics(by: .studio) }.value()
        var table = Table(columns: [
            Table.Column(title: "studio", canShrink: true), Table.Column(title: "count", alignment: .right),
            Table.Column(title: "sum", alignment: .right), Table.Column(title: "average", alignment: .right),
        ])
        table.rows = groups.map { [$0.key, String($0.count), Amount.text($0.sum), $0.average.map(Amount.rounded)] }
        screen.print(table.lines(width: screen.width.map { $0 - 3 }).map { "   " + $0 })
    }

    /// Deletes the most successful film, twice, and waits each time until the live list lacks the film.
    private func deleteWhileFollowing(_ repository: SQLiteRepository) async throws(RepositoryError) {
        title("4. Follow the three most successful films, and delete the first of them, twice")
        let query = Film.all.sorted(by: \.boxOffice, .descending).limit(3)
        var deletions = 0
        for try await films in repository.fetchSubscription(query).values {
            screen.print(
                "   " + films.map { "\($0.title) (\($0.boxOffice.map(Amount.text) ?? "?"))" }.joined(separator: ", "))
            guard deletions < 2, let first = films.first else { break }
            deletions += 1
            try await repository.delete(first).value()
        }
    }

    private func title(_ text: String) {
        screen.print(text)
    }
}

/// Batches of films, which are made on demand.
private struct FilmBatches: Sequence, IteratorProtocol, Sendable {
    var films: FilmGenerator
    let size: Int

    mutating func next() -> [Film]? {
        var batch: [Film] = []
        while batch.count < size, let film = films.next() { batch.append(film) }
        return batch.isEmpty ? nil : batch
    }
}
