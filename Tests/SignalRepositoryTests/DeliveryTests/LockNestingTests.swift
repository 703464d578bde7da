import Foundation
import Signals
import SignalsTesting
import TestTraits
import Testing

@testable import RepositoryCore
@testable import SignalRepository
@testable import SignalRepositoryPostgres

/// Compares which locks are taken while others are held with the table in the documentation.
///
/// Other tests run at the same time, so their nestings must be in the table, too.
@Suite("A4 Locks nest exactly as documented", .timeLimit(.minutes(10))) struct LockNestingTests {
    /// A row of the table.
    private struct Row: Hashable {
        let held: String
        let taken: String
    }

    /// The prefix of the reason for a nesting that no test provokes reliably.
    private static let rare = "only if"

    private static let document = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Documentation/Concurrency.md")

    /// The rows of the table under the heading "Locks", and the subset that a run need not show.
    private static func documented() throws -> (all: Set<Row>, rare: Set<Row>) {
        let text = try String(contentsOf: document, encoding: .utf8)
        let rest = try #require(text.components(separatedBy: "\n## Locks\n").last)
        let section = try #require(rest.components(separatedBy: "\n## ").first)
        var (rows, rare): (Set<Row>, Set<Row>) = ([], [])
        for line in section.split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let names = cells.prefix(2).map { $0.trimmingCharacters(in: ["`"]) }
            let row = Row(held: names[0], taken: names[1])
            rows.insert(row)
            if cells[2].hasPrefix(Self.rare) { rare.insert(row) }
        }
        return (rows, rare)
    }

    private static let modules = ["Signals", "RepositoryCore", "SignalRepository", "SignalRepositoryPostgres"]

    /// A state's type as the table spells it: without modules and parameters.
    private static func spelled(_ name: String) -> String {
        var (text, depth) = ("", 0)
        for character in name {
            if character == "<" { depth += 1 }
            if depth == 0 { text.append(character) }
            if character == ">" { depth -= 1 }
        }
        return text.split(separator: ".").drop { modules.contains(String($0)) }
            .filter { !$0.hasPrefix("(unknown context") }.joined(separator: ".")
    }

    @Test("A4 Each nesting is in the table, and the table has no others")
    func nestings() async throws {
        LockNesting.start()
        for kind in StoreKind.allCases { try await Self.work(kind) }
        let parameters = try TestServer.shared.get().store()
        let notified = try PostgresRepository(parameters, entities: Film.self, liveSource: .notifications)
        try await Self.work(on: notified)
        let (documented, rare) = try Self.documented()
        let names = Set(documented.flatMap { [$0.held, $0.taken] })
        // Tests have their own locks. Confinement checks exist only in debug builds, and take no other lock.
        func isOwn(_ name: String) -> Bool {
            Self.modules.contains { name.hasPrefix($0 + ".") } || names.contains(Self.spelled(name))
        }
        let seen = Set(
            LockNesting.pairs.filter { isOwn($0.held) && isOwn($0.taken) }
                .map { Row(held: Self.spelled($0.held), taken: Self.spelled($0.taken)) }
                .filter { $0.taken != "Confinement.Holder" })
        #expect(seen.subtracting(documented).isEmpty)
        #expect(documented.subtracting(rare).subtracting(seen).isEmpty)
    }

    private static func work(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let repository: any Repository
            if case .file(let location) = store {
                repository = try SQLiteRepository(
                    location, entities: [Film.self],
                    configuration: RepositoryConfiguration(durability: .normal, history: .kept(for: .seconds(1_000))))
            } else {
                repository = try store.open([Film.self])
            }
            await repository.streaming()
            try await work(on: repository)
        }
    }

    /// Follows a store, changes it, streams, cancels, and closes it.
    private static func work(on repository: any Repository) async throws {
        let counts = (0..<3).map { _ in repository.countSubscription(Film.self).record() }
        let films = repository.fetchSubscription(Film.all).record()
        let changes = repository.changes().record()
        for count in counts { _ = await count.values(1) }
        for number in 1...3 {
            try await repository.create(Film.numbered(number)).value()
            for count in counts { await count.values { $0 == number } }
        }
        let rows = repository.stream(Film.all).record(demand: .max(1))
        _ = await rows.values(1)
        rows.cancel()
        for count in counts { count.cancel() }
        films.cancel()
        changes.cancel()
        await closed(repository)
        let current = CurrentValue<Int, Never>(1)
        let seen = current.signal.record()
        // A value that is sent inside a delivery enters the inbox.
        let sender = current.signal.sink { if $0 == 1 { current.value += 1 } }
        await seen.values { $0 == 2 }
        sender.cancel()
        seen.cancel()
    }
}
