import Foundation
import SignalRepository

extension Catalogue {
    /// Many films written at once while queries follow them, until each query has its result; the raw form has no
    /// queries.
    static var insertBatchLive: [Row] {
        [
            insertBatchLive("sum", "one live sum", bar: 1.10) { [heard($0.sumSubscription(of: \Film.boxOffice))] },
            insertBatchLive("list", "a live list of 100", bar: 1.10) {
                [heard($0.fetchSubscription(Film.all.sorted(by: \.title).limit(100)))]
            },
            insertBatchLive("mixed", "100 live queries of five kinds", bar: 1.15, mixed),
        ]
    }

    private static func insertBatchLive(
        _ name: String, _ text: String, bar: Double,
        _ signals: @escaping (SQLiteRepository) -> [Signal<Void, RepositoryError>]
    ) -> Row {
        Row(
            id: "insert.batch.live.\(name)", work: "200,000 films in one transaction, \(text), per film",
            operations: 200_000, bars: [.ofRaw(bar)],
            raw: form("none followed") { _ in [] }, ours: form("SignalRepository", signals))
    }

    /// Half of the queries follow a film by id, as in an application; the others read the table without an index.
    private static func mixed(_ repository: SQLiteRepository) -> [Signal<Void, RepositoryError>] {
        let studios = (0..<10).map { "Studio \($0)" }
        var signals = Film.samples.prefix(50).map { film in heard(repository.readSubscription(Film.self, id: film.id)) }
        signals += (0..<10).map { index in
            let amount = Decimal(index * 20_000_000)
            return heard(repository.sumSubscription(of: \Film.boxOffice) { $0.boxOffice > amount })
        }
        for studio in studios {
            let films = Film.where { $0.studio == studio }
            signals.append(heard(repository.countSubscription(films)))
            signals.append(heard(repository.fetchSubscription(films.sorted(by: \.title).limit(20))))
            signals.append(
                heard(repository.fetchSubscription(films.sorted(by: \.releaseDate, .descending).limit(20))))
        }
        signals += (0..<10).map { page in
            heard(repository.fetchSubscription(Film.all.sorted(by: \.title).limit(20).offset(page * 20)))
        }
        return signals
    }

    private static func heard<Value>(_ signal: Signal<Value, RepositoryError>) -> Signal<Void, RepositoryError> {
        signal.map { _ in }
    }

    /// A form that inserts into a new file; its checksum covers the stored films.
    ///
    /// Each query delivers one result for the empty file, and one for the full file.
    private static func form(
        _ name: String, _ signals: @escaping (SQLiteRepository) -> [Signal<Void, RepositoryError>]
    ) -> Form {
        Form(name) { meter in
            try TemporaryFolder.withFile { path in
                try FilmTable.create(path)
                let repository = try SQLiteRepository(films: path)
                let followed = signals(repository)
                let listener = Listener<Void>(first: followed.count)
                let tokens = followed.map { $0.sink(onValue: listener.hear, onCompletion: { _ in }) }
                if !tokens.isEmpty { listener.wait() }
                Load.settle()
                var count = 0
                listener.expect { _ in
                    count += 1
                    return count == tokens.count
                }
                try meter.time {
                    _ = try repository.insert(Film.samples).wait()
                    if !tokens.isEmpty { listener.wait() }
                }
                for token in tokens { token.cancel() }
                return try RawStore(path).fetchAll().checksum
            }
        }
    }
}
