import Foundation
import SignalRepository
import Signals
import Synchronization
import Testing

/// An entity with a generated key and both managed times.
private struct Memo: Entity, Equatable {
    var id = 0
    var text: String
    var created = Date.distantPast
    var updated = Date.distantFuture

    static let schema = Schema(
        Column("id", \Memo.id, .generated), Column("text", \.text, .unique), Column("created", \.created, .created),
        Column("updated", \.updated, .updated), make: Memo.init)
}

/// A clock that a test sets.
private final class Clock: Sendable {
    private let seconds = Mutex(0.0)
    var now: Date { Date(timeIntervalSinceReferenceDate: seconds.withLock { $0 }) }
    func set(_ time: Double) { seconds.withLock { $0 = time } }
}

@Suite("Managed keys and times stay intact", .timeLimit(.minutes(10))) struct ManagedTimesTests {
    private func withMemos(_ kind: StoreKind, _ body: (any Repository, Clock) async throws -> Void) async throws {
        let clock = Clock()
        var configuration = RepositoryConfiguration()
        configuration.now = { clock.now }
        try await withRepository(kind, [Memo.self], configuration: configuration) { try await body($0, clock) }
    }

    private func at(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

    @Test("R19 The time of creation cannot be set", arguments: StoreKind.allCases)
    func creationIsKept(kind: StoreKind) async throws {
        try await withMemos(kind) { repository, clock in
            clock.set(1)
            let memo = try await repository.create(Memo(text: "one")).value()
            clock.set(2)
            let set = [Assignment<Memo>.set(\.created, to: at(9)), .set(\.text, to: "two")]
            await expectFailure(\.isMisuse) { try await repository.update(Memo.self, id: memo.id, set: set).value() }
            await expectFailure(\.isMisuse) { try await repository.update(Memo.self, set: set) { _ in .true }.value() }
            await expectFailure(\.isMisuse) {
                try await repository.updateReturningIDs(Memo.self, set: set) { _ in .true }.value()
            }
            await expectFailure(\.isMisuse) {
                try await repository.upsert(memo, on: [\.text], updating: [\.created]).value()
            }
            #expect(try await repository.fetch(Memo.all).value() == [memo])
        }
    }

    @Test("R19 Once the largest key is used, the next error says so", arguments: StoreKind.allCases)
    func lastNumber(kind: StoreKind) async throws {
        try await withMemos(kind) { repository, _ in
            _ = try await repository.create(Memo(id: .max, text: "last")).value()
            let verbs: [Signal<Void, RepositoryError>] = [
                repository.create(Memo(text: "more")).map { _ in },
                repository.insert([Memo(text: "more")]).map { _ in },
                repository.upsert(Memo(text: "more")).map { _ in },
            ]
            for verb in verbs {
                await expectFailure({ error in
                    guard case .constraint(.primaryKey, ["id"], _, _) = error else { return false }
                    return kind == .postgres || "\(error)".contains("no number is left")
                }) {
                    try await verb.value()
                }
            }
            _ = try await repository.create(Memo(id: 7, text: "named")).value()
            #expect(try await repository.count(Memo.self).value() == 2)
        }
    }

    @Test("R19 A narrow model that leaves out a managed time is refused", arguments: StoreKind.allCases)
    func narrow(kind: StoreKind) async throws {
        for entities in [[Memo.self, Text.self], [Text.self, Memo.self]] as [[any Entity.Type]] {
            await expectFailure({ error in
                if case .misuse(let detail) = error { detail.contains("updated") } else { false }
            }) {
                try await withRepository(kind, entities) { _ in }
            }
        }
        let clock = Clock()
        var configuration = RepositoryConfiguration()
        configuration.now = { clock.now }
        try await withRepository(kind, [Memo.self, Timed.self], configuration: configuration) { repository in
            clock.set(1)
            let memo = try await repository.create(Memo(text: "one")).value()
            clock.set(2)
            let timed = try await repository.read(Timed.self, id: memo.id).value()
            _ = try await repository.update(timed).value()
            #expect(try await repository.read(Memo.self, id: memo.id).value().updated == at(2))
        }
    }

    /// A memo without its times.
    private struct Text: Entity {
        var id = 0
        var text: String
        var created: Date
        static let entityName = "Memo"
        static let schema = Schema(
            Column("id", \Text.id, .generated), Column("text", \.text), Column("created", \.created, .created),
            make: Text.init)
    }

    /// A memo without its text.
    private struct Timed: Entity {
        var id = 0
        var created: Date
        var updated: Date
        static let entityName = "Memo"
        static let schema = Schema(
            Column("id", \Timed.id, .generated), Column("created", \.created, .created),
            Column("updated", \.updated, .updated), make: Timed.init)
    }
}
