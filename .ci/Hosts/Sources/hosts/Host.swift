import SignalRepository
import SignalRepositoryPostgres
import Signals
import Synchronization

/// A host with its repository, which follows the writes of all others, and compares its live values with fresh reads.
final class Host: Sendable {
    /// The values that are compared: live, or freshly read.
    struct Values: Equatable {
        var sum = 0
        var count = 0
        var groups: [Grouped<Int, Int>] = []
        var largest: [Film] = []
        var marks: [Mark] = []
    }

    let name: String
    let repository: PostgresRepository
    let journal: Journal
    private let live = Mutex(Values())
    private let seen = Mutex([String: Int]())
    private let tokens = Mutex([SignalToken]())
    private let changes = Atomic(0)

    private static let largest = Film.all.sorted(by: \.gross, .descending).sorted(by: \.id).limit(100)
    private static let marks = Mark.all.sorted(by: \.id)

    init(_ name: String, _ server: String, _ journal: Journal) throws {
        (self.name, self.journal) = (name, journal)
        repository = try PostgresRepository(server, entities: Film.self, Mark.self, liveSource: .replication)
    }

    func follow() {
        keep(repository.sumSubscription(of: \Film.gross)) { $0.sum = $1 }
        keep(repository.countSubscription(Film.self)) { $0.count = $1 }
        keep(repository.aggregateSubscription(.sum, of: \Film.gross, groupedBy: \.studio)) { $0.groups = $1 }
        keep(repository.fetchSubscription(Self.largest)) { $0.largest = $1 }
        keep(repository.fetchSubscription(Self.marks)) { [self] live, marks in
            live.marks = marks
            for mark in marks where mark.id != name {
                let known = seen.withLock { $0.updateValue(mark.number, forKey: mark.id) } ?? 0
                if mark.number > known { journal.note("seen \(mark.id) \(mark.number)") }
            }
        }
        keep(repository.changes()) { [self] _, _ in changes.add(1, ordering: .relaxed) }
    }

    private func keep<Value>(
        _ signal: Signal<Value, RepositoryError>, _ change: @escaping @Sendable (inout Values, Value) -> Void
    ) {
        let token = signal.sink(onValue: { [self] value in live.withLock { change(&$0, value) } }) { [self] end in
            journal.note("ended \(Value.self) \(end)")
        }
        tokens.withLock { $0.append(token) }
    }

    /// Compares the live values with a fresh read, while no host writes.
    ///
    /// Live values may arrive a moment later; it is an error if they never arrive.
    func compare() async {
        let deadline = ContinuousClock.now + .seconds(5)
        var fresh: Values?
        while .now < deadline {
            fresh = try? await repository.read { store in
                Values(
                    sum: try store.fetch(Film.all.sum(of: \.gross)), count: try store.count(Film.self),
                    groups: try store.fetch(Film.all.aggregate(.sum, of: \.gross, groupedBy: \.studio)),
                    largest: try store.fetch(Self.largest),
                    marks: try store.fetch(Self.marks))
            }.value()
            if let fresh, live.withLock({ $0 }) == fresh { return journal.note("equal \(fresh.count)") }
            try? await Task.sleep(for: .milliseconds(50))
        }
        let shown = live.withLock { $0 }
        guard let fresh else { return journal.note("unread") }
        journal.note(
            "differs sum \(shown.sum) \(fresh.sum) count \(shown.count) \(fresh.count) "
                + "marks \(shown.marks.map(\.number)) \(fresh.marks.map(\.number)) "
                + "groups \(shown.groups == fresh.groups) list \(shown.largest == fresh.largest)")
    }

    func close() async {
        journal.note("changes \(changes.load(ordering: .relaxed))")
        let statistics = repository.statistics
        journal.note("updated \(statistics.updatedInPlace) reread \(statistics.reread) reads \(statistics.reads)")
        for token in tokens.withLock({ $0 }) { token.cancel() }
        for await _ in repository.close().values {}
    }
}
