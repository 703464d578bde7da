import Foundation
import GRDB
import SignalRepository

extension Catalogue {
    /// A query with a condition and an order, which is made for each read and limited to one item.
    static var fetchFirst: Row {
        let ids = Film.scattered(5_000).map(\.id)
        let sql = FilmTable.selectAll + #" WHERE "id" >= ? ORDER BY "id" LIMIT 1"#
        return Row(
            id: "fetch.first", work: "the first film from an id on, each by wait()",
            operations: ids.count, bars: [.ofPeer(1)],
            raw: .reading("C API", RawStore.init) { store in
                try ids.flatMap { id in
                    try store.read(sql) {
                        store.bind(id, to: $0)
                    } make: {
                        store.film($0)
                    }
                }
            },
            ours: .reading("SignalRepository", SQLiteRepository.init(films:)) { repository in
                try ids.compactMap { id in
                    try repository.first(Film.where { $0.id >= id }.sorted(by: \.id)).wait()
                }
            },
            // A request of the query interface takes three times as long.
            peer: .reading("GRDB statement", PeerStore.init) { store in
                try ids.compactMap { id in
                    try store.pool.read { database in
                        try Film.fetchOne(database.cachedStatement(sql: sql), arguments: [id])
                    }
                }
            })
    }
}
