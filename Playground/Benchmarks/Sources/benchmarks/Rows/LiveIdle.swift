import Dispatch
import GRDB
import SignalRepository

extension Catalogue {
    /// The memory held for a sink of a live query between two values.
    static var liveIdle: Row {
        let sinks = 10_000
        return Row(
            id: "live.idle", work: "bytes held for one of 10k sinks of one sum", operations: sinks, unit: .bytes,
            bars: [.perOperation(500)],
            ours: form("SignalRepository", SQLiteRepository.init(live:)) { repository, hear in
                (0..<sinks).map { _ in
                    repository.sumSubscription(of: \Sale.amount).sink(onValue: hear, onCompletion: { _ in })
                }
            },
            peer: form("GRDB", PeerStore.init) { store, hear in
                let shared = ValueObservation.trackingConstantRegion(PeerSales.sum)
                    .shared(in: store.pool, scheduling: .async(onQueue: DispatchQueue(label: "observer")))
                return (0..<sinks).map { _ in shared.start(onError: { _ in }, onChange: hear) }
            })
    }

    private static func form<Store, Token>(
        _ name: String, _ open: @escaping (String) throws -> Store,
        _ follow: @escaping (Store, @escaping @Sendable (Int) -> Void) -> [Token]
    ) -> Form {
        Form(name) { meter in
            try TemporaryFolder.withFile { path in
                try LiveTables.create(path)
                try Sale.fill(path, 1_000)
                let store = try open(path)
                let heard = DispatchSemaphore(value: 0)
                let tokens = meter.bytes {
                    let tokens = follow(store) { _ in heard.signal() }
                    for _ in tokens { heard.wait() }
                    return tokens
                }
                return tokens.count
            }
        }
    }
}
