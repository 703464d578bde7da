import SignalRepository
import SignalRepositoryPostgres

extension Catalogue {
    /// A live sum on a server, while another connection changes one item after another by libpq.
    static var postgresLive: [Row] {
        [
            pgLiveSum("1k", ServerChanges(items: 1_000)),
            pgLiveSum("100k", ServerChanges(items: 100_000), bars: [.ofPeer(1 / 40)]),
            pgLiveSum("1M", ServerChanges(items: 1_000_000), peerChanges: 5),
            pgLiveSum(
                "commit", ServerChanges(items: 100_000, beginsWithCommit: true), from: "COMMIT", bars: [.ofRaw(2.5)]),
            pgLiveWriters(8, bars: [.ofRaw(1 / 0.9)]),
            pgLiveWriters(8, flush: 1_000, bars: [.ofRaw(1 / 0.9)]),
            pgLiveWritersBesideReader(8),
        ]
    }

    static func pgLiveSum(
        _ name: String, _ changes: ServerChanges, from beginning: String = "answer to COMMIT", peerChanges: Int = 20,
        bars: [Bar] = []
    ) -> Row {
        Row(
            id: "pg.live.sum.\(name)", work: "one of \(changes.items) sales changes on a server, \(beginning) → sum",
            operations: changes.count, bars: bars, raw: changes.heard,
            ours: changes.shown("SignalRepository", .replication, changes.count),
            peer: changes.shown("NOTIFY and reading again", .notifications, peerChanges))
    }

    /// Makes a row with concurrent writers; `flush` is the time that each flush takes in addition, in microseconds.
    ///
    /// During a slow flush, as on a real disk, the processors are idle.
    static func pgLiveWriters(_ writers: Int, flush: Int = 0, bars: [Bar] = []) -> Row {
        let changes = manyChanges
        let work: (String) throws -> Int = { try changes.write($0, writers, flush: flush) }
        let disk = flush == 0 ? (id: "", work: "") : (id: ".flush", work: ", each flush \(flush) µs longer,")
        return Row(
            id: "pg.live.writers\(writers)\(disk.id)",
            work: "\(writers) writers on a server\(disk.work) while a sum is followed, per commit",
            operations: writers * changes.count, bars: bars,
            raw: .server("libpq, nobody follows", changes.fill, { $0 }, work: work, check: changes.check),
            ours: followed(changes, .replication, work),
            peer: followed(changes, .notifications, work, named: "NOTIFY and reading again"))
    }

    /// Makes a row that shows the server's share of the cost: in the raw form, a `pgoutput` reader ignores commits.
    static func pgLiveWritersBesideReader(_ writers: Int) -> Row {
        let changes = manyChanges
        let work: (String) throws -> Int = { try changes.write($0, writers) }
        return Row(
            id: "pg.live.writers\(writers).reader",
            work: "\(writers) writers on a server beside a reader, per commit",
            operations: writers * changes.count,
            raw: .server(
                "pgoutput, bare", changes.fill, { ($0, try RawFeed($0, of: "Sale") { _ in }) },
                work: { parameters, feed in
                    defer { feed.close() }
                    return try work(parameters)
                }, check: changes.check),
            ours: followed(changes, .replication, work))
    }

    /// Enough changes to make one-time costs negligible.
    private static var manyChanges: ServerChanges { ServerChanges(items: 10_000, count: 1_000) }

    private static func followed(
        _ changes: ServerChanges, _ source: LiveSource, _ work: @escaping (String) throws -> Int,
        named name: String = "SignalRepository"
    ) -> Form {
        .server(
            name, changes.fill, { try ServerSum($0, source) }, work: { try work($0.parameters) },
            check: changes.check)
    }
}
