import Signals
import SignalsTesting

@testable import RepositoryCore
@testable import SignalRepository

/// Live queries of a random table, and the fresh queries to compare them with.
final class OtherLive<Key: OtherKey>: Sendable {
    typealias Other = OtherRow<Key>

    private let store: SQLiteRepository
    private let pairs: [any ComparedQuery]
    private let changes: Recorder<ChangeSet, RepositoryError>
    private let mirror = Lock(ChangeMirror<Key>())

    init(_ store: SQLiteRepository) {
        self.store = store
        changes = store.changes().record()
        let sorted = Other.all.sorted(by: \.c).limit(4)
        let grouped = Other.all.grouped { $0.c }.aggregate { ($0.id.count(), $0.a.max()) }
        pairs = [
            Compared("all", store, { $0.fetch(Other.all) }, { $0.fetchSubscription(Other.all) }),
            Compared("sorted", store, { $0.fetch(sorted) }, { $0.fetchSubscription(sorted) }),
            Compared(
                "filtered", store, { $0.fetch(Other.where { $0.a > 0 }.sorted(by: \.b)) },
                { $0.fetchSubscription(Other.where { $0.a > 0 }.sorted(by: \.b)) }),
            Compared("first", store, { $0.first(Other.all) }, { $0.firstSubscription(Other.all) }),
            Compared("count", store, { $0.count(Other.self) { $0.c > "b" } }) {
                $0.countSubscription(Other.self) { $0.c > "b" }
            },
            Compared("sum a", store, { $0.sum(of: \Other.a) }, { $0.sumSubscription(of: \Other.a) }),
            Compared("sum b", store, { $0.sum(of: \Other.b) }, { $0.sumSubscription(of: \Other.b) }),
            Compared("max a", store, { $0.max(of: \Other.a) }, { $0.maxSubscription(of: \Other.a) }),
            Compared("min b", store, { $0.min(of: \Other.b) }, { $0.minSubscription(of: \Other.b) }),
            Compared("max c", store, { $0.max(of: \Other.c) }, { $0.maxSubscription(of: \Other.c) }),
            Compared("groups c", store, { $0.fetch(Other.all.count(groupedBy: \.c)) }) {
                $0.follow(Other.all.count(groupedBy: \.c))
            },
            Compared("sums by b", store, { $0.fetch(Other.all.aggregate(.sum, of: \.a, groupedBy: \.b)) }) {
                $0.aggregateSubscription(.sum, of: \Other.a, groupedBy: \.b)
            },
            Compared(
                "terms by c", store, { $0.fetch(grouped).map { $0.map { "\($0)" } } },
                { $0.fetchSubscription(grouped).map { $0.map { "\($0)" } } }),
            Compared("find", store, { $0.find(Other.self, id: .numbered(3)) }) {
                $0.readSubscription(Other.self, id: .numbered(3))
            },
        ]
    }

    /// Compares each live value with a fresh one.
    func compare(_ faults: inout [String]) async {
        for pair in pairs { await pair.compare(&faults) }
    }

    /// Compares the terms that the store computes with Swift's results for the stored values.
    ///
    /// A value that cannot be read makes both fail.
    func compareTerms(_ faults: inout [String]) async {
        let all = Other.all
        let (a, b, c) = (all.select { $0.a }, all.select { $0.b }, all.select { $0.c })
        let (halfOfA, halfOfB) = (all.select { $0.a / 2 }, all.select { $0.b / 2 })
        let (count, double) = (all.select { $0.c.count }, all.select { $0.c + $0.c })
        await compare("a / 2", a, halfOfA, { $0 / 2 }, &faults)
        await compare("b / 2", b, halfOfB, { $0 / 2 }, &faults)
        await compare("c.count", c, count, { $0.count }, &faults)
        await compare("c + c", c, double, { $0 + $0 }, &faults)
    }

    private func compare<Value, Computed: Equatable>(
        _ name: String, _ values: SelectQuery<Value?>, _ terms: SelectQuery<Computed?>,
        _ compute: (Value) -> Computed, _ faults: inout [String]
    ) async {
        let (read, computed) = (await result(of: values), await result(of: terms))
        let expected = read.map { $0.map { $0.map(compute) } }
        let isRight =
            switch (expected, computed) {
            case (.success(let expected), .success(let computed)): expected == computed
            case (.failure(let expected), .failure(let failure)): expected.kind == failure.kind
            default: false
            }
        if !isRight { faults.append("\(name) is \(computed), expected \(expected)") }
    }

    private func result<Value>(of query: SelectQuery<Value>) async -> Result<[Value], RepositoryError> {
        do throws(RepositoryError) {
            return .success(try await store.fetch(query).value())
        } catch {
            return .failure(error)
        }
    }

    /// Compares the sum of the change sets with the stored rows, which are `nil` if they cannot be read.
    func compareChanges(_ stored: [Other]?, _ faults: inout [String]) async {
        var mirror = mirror.withLock { $0 }
        let now = stored.map { Dictionary(uniqueKeysWithValues: $0.map { ($0.id, $0) }) }
        while let now, mirror.rows != nil {
            do {
                for set in changes.values.dropFirst(mirror.taken) { try mirror.take(set) }
            } catch {
                return faults.append("change set: \(error)")
            }
            if mirror.rows == nil || mirror.rows == now { break }
            // A change set may still be on its way.
            guard await changes.values(mirror.taken + 1).count > mirror.taken else {
                let rows = mirror.rows.map { "\($0)" } ?? ""
                return faults.append("the change sets add up to \(rows), but stored is \(now)")
            }
        }
        if now == nil || mirror.rows == nil {
            // Change sets about earlier commits are ignored from now on.
            let commit = try? await store.follow(LiveQuery { try $0.count(Other.self) }).first().value().commit
            mirror = ChangeMirror<Key>(rows: now, commit: commit ?? 0, taken: mirror.taken)
        }
        self.mirror.withLock { $0 = mirror }
    }

    func cancel() {
        for pair in pairs { pair.cancel() }
        changes.cancel()
    }
}

/// The rows of the table according to the change sets.
private struct ChangeMirror<Key: OtherKey> {
    /// The rows by key, or `nil` if they are unknown.
    var rows: [Key: OtherRow<Key>]?
    /// The last commit that the rows already include.
    var commit = 0
    /// The number of change sets that have been taken.
    var taken = 0

    mutating func take(_ set: ChangeSet) throws {
        taken += 1
        guard set.commit > commit else { return }
        guard set.extent == .rows else { return rows = nil }
        for item in try set.deleted(of: OtherRow<Key>.self) { try remove(item) }
        let updates = try set.updated(of: OtherRow<Key>.self)
        for update in updates { try remove(update.old) }
        for item in try updates.map(\.new) + set.inserted(of: OtherRow<Key>.self) { rows?[item.id] = item }
    }

    private mutating func remove(_ item: OtherRow<Key>) throws {
        guard rows?.removeValue(forKey: item.id) == item else {
            throw OtherFault(text: "\(item) differs from the row of earlier change sets")
        }
    }
}

/// A live query and a fresh one.
private protocol ComparedQuery: Sendable {
    func compare(_ faults: inout [String]) async
    func cancel()
}

private final class Compared<Value: Sendable & Equatable>: ComparedQuery {
    private let name: String
    private let store: SQLiteRepository
    private let fresh: @Sendable (SQLiteRepository) -> Signal<Value, RepositoryError>
    private let live: @Sendable (SQLiteRepository) -> Signal<Value, RepositoryError>
    private let recorder: Lock<Recorder<Value, RepositoryError>>
    private let isUnreadable = Lock(false)

    init(
        _ name: String, _ store: SQLiteRepository,
        _ fresh: @escaping @Sendable (SQLiteRepository) -> Signal<Value, RepositoryError>,
        _ live: @escaping @Sendable (SQLiteRepository) -> Signal<Value, RepositoryError>
    ) {
        (self.name, self.store, self.fresh, self.live) = (name, store, fresh, live)
        recorder = Lock(live(store).record())
    }

    func compare(_ faults: inout [String]) async {
        // A live query that could not be read before the last change has ended, so it starts again.
        if isUnreadable.withLock({ $0 }) { recorder.withLock { $0 = live(store).record() } }
        let current = recorder.withLock { $0 }
        isUnreadable.withLock { $0 = false }
        do {
            let value = try await fresh(store).value() as Value
            let last = await current.last(where: { $0 == value })
            if last != value {
                let end = current.completion.map { " and \($0)" } ?? ""
                faults.append("live \(name) is \(last.map { "\($0)" } ?? "nothing")\(end), fresh \(value)")
            }
        } catch {
            // A result that cannot be read ends the live query with the same error.
            isUnreadable.withLock { $0 = true }
            _ = await current.last(where: { _ in false })
            guard case .failure(let failure)? = current.completion, failure.kind == error.kind else {
                faults.append("live \(name) ends with \(current.completion as Any), fresh \(error)")
                return
            }
        }
    }

    func cancel() { recorder.withLock { $0 }.cancel() }
}

extension RepositoryError {
    /// The name of the case, because a sum that overflows in memory has another message.
    fileprivate var kind: String { Mirror(reflecting: self).children.first?.label ?? "\(self)" }
}
