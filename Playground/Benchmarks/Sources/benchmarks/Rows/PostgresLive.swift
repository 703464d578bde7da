import SignalRepository
import SignalRepositoryPostgres
import Signals

extension Catalogue {
    /// A sum that is followed on a server while somebody else changes one of its items at a time, by libpq.
    static var postgresLive: [Row] {
        [
            pgLiveSum("1k", ServerChanges(items: 1_000)),
            pgLiveSum("100k", ServerChanges(items: 100_000), bars: [.ofPeer(1 / 40)]),
            pgLiveSum("1M", ServerChanges(items: 1_000_000), peerChanges: 5),
            pgLiveSum(
                "commit", ServerChanges(items: 100_000, beginsWithCommit: true), from: "COMMIT", bars: [.ofRaw(2.5)]),
            pgLiveWriters(8, bars: [.ofRaw(1 / 0.9)]),
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

    static func pgLiveWriters(_ writers: Int, bars: [Bar] = []) -> Row {
        let changes = ServerChanges(items: 10_000)
        let work: (String) throws -> Int = { try changes.write($0, writers) }
        return Row(
            id: "pg.live.writers\(writers)", work: "\(writers) writers on a server while a sum is followed, per commit",
            operations: writers * changes.count, bars: bars,
            raw: .server("libpq, nobody follows", changes.fill, { $0 }, work: work, check: changes.check),
            ours: .server(
                "SignalRepository", changes.fill, { try ServerSum($0, .replication) },
                work: { try work($0.parameters) },
                check: changes.check),
            peer: .server(
                "NOTIFY and reading again", changes.fill, { try ServerSum($0, .notifications) },
                work: { try work($0.parameters) }, check: changes.check))
    }
}
