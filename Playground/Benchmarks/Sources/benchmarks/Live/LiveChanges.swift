import Dispatch
import GRDB
import SignalRepository

/// The work of the live rows: items change one by one, and each change waits until the sinks have its result.
struct LiveChanges<Item: LiveItem, Value: Sendable> {
    /// How many items there are.
    let items: Int
    /// How many changes are measured, after a first one that only warms up.
    let count: Int
    /// How many changes the peer makes: fewer, if each takes long.
    var peerCount: Int?
    /// How many values arrive before the first change.
    var firstValues = 1
    /// Makes a test for each change, which is true for the value that completes it.
    let tests: (_ items: [Item], _ changes: [LiveChange<Item>]) -> [(Value) -> Bool]

    /// A form that changes items through the repository.
    func ours(
        _ signals: @escaping (SQLiteRepository) -> [Signal<Value, RepositoryError>],
        change: @escaping (SQLiteRepository, Item) throws -> Void = { _ = try $0.update($1).wait() }
    ) -> Form {
        form("SignalRepository", SQLiteRepository.init(live:), count) { repository, listener in
            let tokens = signals(repository).map { $0.sink(onValue: listener.hear, onCompletion: { _ in }) }
            return Following(
                change: { item in try change(repository, item) },
                stop: { for token in tokens { token.cancel() } })
        }
    }

    /// A form that changes items through GRDB, and follows one value.
    func peer(
        _ fetch: @escaping @Sendable (Database) throws -> Value,
        change: @escaping (Database, Item) throws -> Void = { try $1.update($0) }
    ) -> Form {
        peer(following: [fetch], change: change)
    }

    /// A form that changes items through GRDB, and follows many values.
    func peer(
        following fetches: [@Sendable (Database) throws -> Value],
        change: @escaping (Database, Item) throws -> Void = { try $1.update($0) }
    ) -> Form {
        let queue = DispatchQueue(label: "observer")
        return peer(change: change) { pool, listener in
            fetches.map { fetch in
                ValueObservation.trackingConstantRegion(fetch)
                    .start(in: pool, scheduling: .async(onQueue: queue), onError: { _ in }, onChange: listener.hear)
            }
        }
    }

    /// A form that changes items through GRDB.
    func peer(
        change: @escaping (Database, Item) throws -> Void = { try $1.update($0) },
        _ follow: @escaping (DatabasePool, Listener<Value>) -> [AnyDatabaseCancellable]
    ) -> Form {
        form("GRDB", PeerStore.init, peerCount ?? count) { store, listener in
            let tokens = follow(store.pool, listener)
            return Following(
                change: { item in try store.pool.write { try change($0, item) } },
                stop: { for token in tokens { token.cancel() } })
        }
    }

    private struct Following {
        let change: (Item) throws -> Void
        let stop: () -> Void
    }

    private func form<Store>(
        _ name: String, _ open: @escaping (String) throws -> Store, _ made: Int,
        _ follow: @escaping (Store, Listener<Value>) -> Following
    ) -> Form {
        Form(name) { meter in
            try TemporaryFolder.withFile { path in
                try LiveTables.create(path)
                try Item.fill(path, items)
                let (changes, tests) = expected()
                let listener = Listener<Value>(first: firstValues)
                let following = follow(try open(path), listener)
                defer { following.stop() }
                listener.wait()
                func make(_ number: Int) throws {
                    listener.expect(tests[number])
                    try following.change(changes[number].new)
                    listener.wait()
                }
                Load.settle()
                try make(0)
                Load.settle()
                for number in 1...made {
                    try meter.time { try make(number) }
                }
                // Scaled as if the form had made all changes.
                meter.scale(by: Double(count) / Double(made))
                return Item.checksum(changes.prefix(min(count, peerCount ?? count)).map(\.new))
            }
        }
    }

    /// Returns the index of the item that a change concerns; the changes are spread over all items.
    static func index(of change: Int, among items: Int) -> Int { (change * 7919 + 13) % items }

    private func expected() -> (changes: [LiveChange<Item>], tests: [(Value) -> Bool]) {
        let before = Item.first(items)
        var items = before
        let changes = (0...count).map { number in
            let index = Self.index(of: number, among: items.count)
            let change = LiveChange(index: index, old: items[index], new: items[index].changed(number))
            items[index] = change.new
            return change
        }
        return (changes, tests(before, changes))
    }
}

extension LiveChanges where Value == Int, Item == Sale {
    /// Changes of sales while the sum of their amounts is followed.
    init(sumOf items: Int, count: Int, sinks: Int = 1) {
        self.init(items: items, count: count, firstValues: sinks) { sales, changes in
            var sum = sales.reduce(0) { $0 + $1.amount }
            return changes.map { change in
                sum += change.new.amount - change.old.amount
                let expected = sum
                var heard = 0
                return { value in
                    if value == expected { heard += 1 }
                    return heard == sinks
                }
            }
        }
    }
}

extension LiveChanges where Value == Item? {
    /// Changes of items, each of which is followed by its own query.
    init(eachOf items: Int, count: Int, peerCount: Int? = nil) {
        self.init(items: items, count: count, peerCount: peerCount, firstValues: items) { _, changes in
            changes.map { change in { $0 == change.new } }
        }
    }
}

extension Catalogue {
    /// Returns the row of a query that is followed while some of 100,000 items change, one after another.
    static func following<Item: LiveItem, Value: Sendable>(
        _ id: String, _ text: String, items: String = "sales", bar: Double = 1 / 30,
        ours: @escaping (SQLiteRepository) -> Signal<Value, RepositoryError>,
        peer: @escaping @Sendable (Database) throws -> Value,
        change: @escaping (SQLiteRepository, Item) throws -> Void = { _ = try $0.update($1).wait() },
        peerChange: @escaping (Database, Item) throws -> Void = { try $1.update($0) },
        tests: @escaping ([Item], [LiveChange<Item>]) -> [(Value) -> Bool]
    ) -> Row {
        let changes = 150
        let work = LiveChanges(items: 100_000, count: changes, peerCount: 20, tests: tests)
        return Row(
            id: id, work: "one of 100k \(items) changes, write → \(text)", operations: changes,
            bars: [.ofPeer(bar)], ours: work.ours({ [ours($0)] }, change: change),
            peer: work.peer(peer, change: peerChange))
    }
}
