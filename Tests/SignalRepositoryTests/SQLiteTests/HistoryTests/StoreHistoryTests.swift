import Foundation
import Signals
import SignalsTesting
import TestTraits
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("The history of a store", .timeLimit(.minutes(10))) struct StoreHistoryTests {
    private let forever = StoreHistory.kept(for: .seconds(1_000_000))

    private func open(
        _ folder: TemporaryFolder, _ history: StoreHistory, entities: [any Entity.Type] = Diary.entities,
        name: String = "store.sqlite", now: @escaping @Sendable () -> Date = { Date() }
    ) throws(RepositoryError) -> SQLiteRepository {
        var configuration = RepositoryConfiguration()
        (configuration.now, configuration.watchInterval) = (now, .milliseconds(5))
        return try SQLiteRepository(
            .file(folder.file(name)), entities: entities, configuration: configuration.with(history: history))
    }

    @Test(
        "Each commit is reported once, in order, with its changes, live and after each restart", arguments: 0..<12,
        [false, true])
    func random(seed: Int, isUndoable: Bool) async throws {
        let folder = try TemporaryFolder()
        let history = StoreHistory.kept(for: .seconds(1_000_000), isUndoable: isUndoable)
        var random = SeededGenerator(seed: UInt64(seed))
        var diary = Diary()
        var entries: [HistoryEntry] = []
        for _ in 0..<3 {
            let repository = try open(folder, history)
            let start = entries.last?.token ?? .beginning
            let live = repository.changes(since: start).record()
            for _ in 0..<20 { try await diary.commit(to: repository, &random) }
            let count = diary.commits.count - entries.count
            let new = await live.values(count)
            entries += new
            #expect(new.count == count)
            // The history is read since any token, in full or up to a limit, in this process or the next.
            let token = entries[Int.random(in: 0..<entries.count, using: &random)].token
            let read = try await repository.read { try $0.history(since: token) }.value()
            #expect(read.map(\.token) == entries.map(\.token).filter { $0.number > token.number })
            let first = try await repository.read { try $0.history(since: token, limit: 1) }.value()
            #expect(first.map(\.token) == read.prefix(1).map(\.token))
            #expect(try await repository.read { try $0.historyToken() }.value() == entries.last?.token)
            await closed(repository)
        }
        try diary.expect(entries)
        let reader = try SQLiteRepository(
            .file(folder.file()), entities: Diary.entities, configuration: RepositoryConfiguration(access: .readOnly))
        let again = await reader.changes(since: .beginning).record().values(entries.count)
        #expect(again.map(\.token) == entries.map(\.token))
        await closed(reader)
    }

    @Test(
        "A transaction without a net change is not reported: a rollback, a failure, rows inserted and deleted",
        arguments: StoreKind.local)
    func nothing(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let repository = try SQLiteRepository(
            kind == .memory ? .inMemory : .file(folder.file()), entities: Film.self,
            configuration: RepositoryConfiguration(history: forever))
        try await repository.insert((0..<10).map { Film.numbered($0) }).value()
        let token = try await repository.read { try $0.historyToken() }.value()
        await expectFailure(\.isCancelled) {
            try await repository.transaction { store in
                try store.create(Film.numbered(20))
                store.cancel()
            }.value()
        }
        await expectFailure(\.isConstraint) { try await repository.create(Film.numbered(3)).value() }
        await expectFailure(\.isConstraint) {
            try await repository.insert((18..<22).map { Film.numbered($0 % 20) }).value()
        }
        try await repository.transaction { store in
            try store.create(Film.numbered(30))
            try store.delete(Film.self, id: Film.id(30))
            _ = try? store.execute("INSERT OR ABORT INTO Film SELECT * FROM Film")
            _ = try? store.transaction { inner in
                try inner.delete(Film.self, id: Film.id(1))
                throw RepositoryError.cancelled
            }
        }.value()
        #expect(try await repository.read { try $0.history(since: token) }.value().count == 0)
        // Of a statement that fails halfway, only the rows that it left are reported.
        try await repository.transaction { store in
            _ = try? store.execute(
                """
                INSERT OR FAIL INTO Film \
                SELECT x'01' || substr(id, 2), title, releaseDate, boxOffice, studio FROM Film \
                UNION ALL SELECT * FROM Film
                """)
            try store.delete(Film.self, id: Film.id(2))
        }.value()
        let entry = try #require(try await repository.read { try $0.history(since: token) }.value().first)
        #expect(try entry.deleted(of: Film.self) == [Film.id(2)])
        let count = try await repository.count(Film.self).value()
        #expect(try entry.inserted(of: Film.self).count == count - 9)
        await closed(repository)
    }

    @Test("An entry has an author, a time and tables; it refuses another entity's key, and rows that are unknown")
    func parts() async throws {
        let folder = try TemporaryFolder()
        let time = Date(timeIntervalSince1970: 1_700_000_000.5)
        let repository = try open(folder, forever, now: { time })
        try await repository.transaction(author: "e\u{301}\0") { store in
            try store.create(Diary.Page(number: -5, text: ""))
            try store.create(Diary.Word(id: "\u{e9}", count: 1))
        }.value()
        let entry = try #require(try await repository.read { try $0.history(since: .beginning) }.value().first)
        #expect(entry.author == "e\u{301}\0" && entry.time == time && entry.tables == ["Page", "Word"])
        #expect(try entry.inserted(of: Diary.Page.self) == [-5] && entry.updated(of: Diary.Word.self) == [])
        struct Page: Entity {
            let title: String
            var id: String { title }
            static let schema = Schema(Column("title", \Page.title, .key), make: Page.init)
        }
        #expect(throws: RepositoryError.self) { try entry.inserted(of: Page.self) }
        let lost = HistoryEntry(token: .beginning, time: time, extent: .unknown(.pruned))
        #expect(throws: RepositoryError.self) { try lost.deleted(of: Page.self) }
        let token = try JSONDecoder().decode(HistoryToken.self, from: JSONEncoder().encode(entry.token))
        #expect(token == entry.token)
        await closed(repository)
    }

    @Test("Entries that are too old are pruned, and a read since then reports it; the last token stays valid")
    func pruned() async throws {
        let folder = try TemporaryFolder()
        let clock = Clock()
        let repository = try open(folder, .kept(for: .seconds(100)), now: { clock.now })
        var made: [HistoryToken] = []
        for number in 0..<10 {
            try await repository.create(Diary.Page(number: number, text: "")).value()
            made.append(try await repository.read { try $0.historyToken() }.value())
            clock.advance(by: 30)
        }
        let tokens = made
        let kept = try await repository.read { try $0.history(since: tokens[6]) }.value()
        #expect(kept.map(\.token) == Array(tokens[7...]))
        let first = await repository.changes(since: tokens[0]).record().values(1)
        #expect(first.map(\.extent) == [.unknown(.pruned)] && first.map(\.token) == [tokens[9]])
        #expect(
            try await repository.read { try $0.history(since: .beginning) }.value().map(\.extent) == [.unknown(.pruned)]
        )
        await closed(repository)
        // Nothing was committed for a year, so nothing was missed.
        clock.advance(by: 31_000_000)
        let later = try open(folder, .kept(for: .seconds(100)), now: { clock.now })
        #expect(try await later.read { try $0.history(since: tokens[9]) }.value().count == 0)
        try await later.create(Diary.Page(number: 100, text: "")).value()
        #expect(try await later.read { try $0.history(since: tokens[9]) }.value().count == 1)
        await closed(later)
    }

    @Test("S-H1 After the clock has jumped back, no commit is missing, and undo overwrites no other author's change")
    func jumpingClock() async throws {
        let folder = try TemporaryFolder()
        let clock = Clock()
        let history = StoreHistory.kept(for: .seconds(1_000), isUndoable: true)
        let repository = try open(folder, history, now: { clock.now })
        try await repository.create(Diary.Page(number: 1, text: "start")).value()
        try await repository.authored(by: "ann").update(Diary.Page(number: 1, text: "ann")).value()
        let token = try await repository.read { try $0.historyToken() }.value()
        clock.advance(by: -9_000)
        try await repository.authored(by: "bob").update(Diary.Page(number: 1, text: "bob")).value()
        clock.advance(by: 9_001)
        try await repository.authored(by: "cid").create(Diary.Page(number: 2, text: "cid")).value()
        let entries = try await repository.read { try $0.history(since: token) }.value()
        #expect(entries.map(\.author) == ["bob", "cid"] && entries.map(\.extent) == [.rows, .rows])
        await expectFailure({ if case .conflict = $0 { true } else { false } }) {
            try await repository.undo(author: "ann").value()
        }
        // The same holds if the store opens while the clock is wrong, or has entries with times that are too old.
        clock.advance(by: -9_000)
        await closed(repository)
        let again = try open(folder, history, entities: Diary.entities + [Film.self], now: { clock.now })
        try await again.create(Diary.Page(number: 3, text: "")).value()
        let all = try await again.read { try $0.history(since: .beginning) }.value()
        #expect(all.map(\.token.number) == Array(1...6))
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.time <= $1.time })
        await closed(again)
        let raw = try RawDatabase(folder.file())
        try raw.run("UPDATE signal_repository_history SET time = 1 WHERE number IN (1, 2, 4)")
        raw.close()
        let old = try open(folder, history, entities: Diary.entities + [Film.self], now: { clock.now })
        try await old.create(Diary.Page(number: 4, text: "")).value()
        let kept = try await old.read { try $0.history(since: all[2].token) }.value()
        #expect(kept.map(\.token.number) == Array(4...7))
        await closed(old)
    }

    @Test("S-M1 After vacuum() the history continues, and earlier commits can be undone", arguments: StoreKind.local)
    func vacuumed(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let history = StoreHistory.kept(for: .seconds(1_000_000), isUndoable: true)
        let repository = try SQLiteRepository(
            kind == .memory ? .inMemory : .file(folder.file()), entities: Diary.entities,
            configuration: RepositoryConfiguration(history: history))
        let live = repository.countSubscription(Diary.Page.self).record()
        try await repository.authored(by: "ann").create(Diary.Page(number: 1, text: "ann")).value()
        let token = try await repository.read { try $0.historyToken() }.value()
        try await repository.vacuum().value()
        try await repository.optimize().value()
        #expect(try await repository.read { try $0.history(since: token) }.value().count == 0)
        try await repository.undo(author: "ann").value()
        #expect(await live.last(where: { $0 == 0 }) == 0)
        // Rows without a key may have other rowids after vacuum().
        try await repository.transaction { try $0.execute("CREATE TABLE Other (x)") }.value()
        try await repository.transaction { try $0.execute("INSERT INTO Other VALUES (1)") }.value()
        let other = try await repository.read { try $0.historyToken() }.value()
        try await repository.vacuum().value()
        let last = try await repository.read { try $0.history(since: other) }.value()
        #expect(last.map(\.extent) == [.unknown(.tables)])
        await closed(repository)
    }

    @Test("S-L3 A copy that has replaced the store, and has reached the same number, is reported")
    func replaced() async throws {
        let folder = try TemporaryFolder()
        let repository = try open(folder, forever)
        try await repository.create(Diary.Page(number: 1, text: "")).value()
        _ = try await repository.backup(to: folder.file("copy.sqlite")).collect().value()
        try await repository.create(Diary.Page(number: 2, text: "")).value()
        let copy = try open(folder, forever, name: "copy.sqlite")
        try await copy.create(Diary.Page(number: 3, text: "")).value()
        await closed(copy)
        let live = repository.changes(since: .beginning).record()
        #expect(await live.values(2).map(\.extent) == [.rows, .rows])
        try await repository.suspend().value()
        try FileManager.default.removeItem(atPath: folder.file())
        try FileManager.default.moveItem(atPath: folder.file("copy.sqlite"), toPath: folder.file())
        try await repository.resume().value()
        #expect(await live.values(3).map(\.extent).last == .unknown(.otherStore))
        await closed(repository)
    }

    @Test("A copy reports a token that the store made after the backup, and accepts an earlier one")
    func copies() async throws {
        let folder = try TemporaryFolder()
        let repository = try open(folder, forever)
        try await repository.create(Diary.Page(number: 1, text: "")).value()
        let common = try await repository.read { try $0.historyToken() }.value()
        _ = try await repository.backup(to: folder.file("copy.sqlite")).collect().value()
        try await repository.create(Diary.Page(number: 2, text: "")).value()
        let own = try await repository.read { try $0.historyToken() }.value()
        let copy = try open(folder, forever, name: "copy.sqlite")
        #expect(try await copy.read { try $0.history(since: own) }.value().map(\.extent) == [.unknown(.otherStore)])
        try await copy.create(Diary.Page(number: 3, text: "")).value()
        #expect(try await copy.read { try $0.historyToken() }.value().number == own.number)
        #expect(try await copy.read { try $0.history(since: own) }.value().map(\.extent) == [.unknown(.otherStore)])
        #expect(try await copy.read { try $0.history(since: common) }.value().map(\.extent) == [.rows])
        await closed(copy)
        await closed(repository)
    }

    @Test("A write by another program, which keeps no history, is reported as unknown, once and at once")
    func others() async throws {
        let folder = try TemporaryFolder()
        let repository = try open(folder, forever)
        let live = repository.changes(since: .beginning).record()
        try await repository.create(Diary.Page(number: 1, text: "")).value()
        #expect(await live.values(1).map(\.extent) == [.rows])
        let other = try RawDatabase(folder.file())
        try other.run("PRAGMA busy_timeout = 5000; INSERT INTO Page VALUES (2, 'x')")
        #expect(await live.values(2).map(\.extent) == [.rows, .unknown(.otherConnection)])
        try await repository.create(Diary.Page(number: 3, text: "")).value()
        #expect(await live.values(3).map(\.extent).last == .rows)
        live.cancel()
        // No live signal polls any more, and the repository closes next.
        try other.run("INSERT INTO Page VALUES (4, 'x')")
        other.close()
        await closed(repository)
        let reader = try SQLiteRepository(
            .file(folder.file()), entities: Diary.entities, configuration: RepositoryConfiguration(access: .readOnly))
        let entries = try await reader.read { try $0.history(since: .beginning) }.value()
        #expect(entries.map(\.extent) == [.rows, .unknown(.otherConnection), .rows, .unknown(.otherConnection)])
        await closed(reader)
    }

    @Test("A store starts, continues and drops its history as it is configured")
    func choices() async throws {
        let folder = try TemporaryFolder()
        let plain = try open(folder, .none)
        try await plain.create(Diary.Page(number: 1, text: "")).value()
        await expectFailure(\.isMisuse) { try await plain.read { try $0.history(since: .beginning) }.value() }
        await expectFailure(\.isMisuse) { _ = try await plain.changes(since: .beginning).first().value() }
        await closed(plain)
        let kept = try open(folder, forever)
        #expect(
            try await kept.read { try $0.history(since: .beginning) }.value().map(\.extent) == [.unknown(.beginning)])
        // Creating the identity for URLs does not count as a schema change.
        _ = try await kept.url(Diary.Page.self, id: 1).value()
        #expect(try await kept.read { try $0.history(since: .beginning) }.value().count == 1)
        await closed(kept)
        let before = try folder.contents()["store.sqlite"]
        let error = try thrown { () throws(RepositoryError) in try open(folder, .none) }
        #expect("\(error)".contains("keeps a history"))
        #expect(try folder.contents()["store.sqlite"] == before)
        let more = try open(folder, forever, entities: Diary.entities + [Film.self])
        try await more.create(Film.numbered(1)).value()
        let entries = try await more.read { try $0.history(since: .beginning) }.value()
        #expect(entries.map(\.extent) == [.unknown(.beginning), .unknown(.tables), .rows])
        try await more.transaction { try $0.execute("CREATE TABLE Other (x)") }.value()
        try await more.transaction { try $0.execute("INSERT INTO Other VALUES ('x')") }.value()
        let last = try await more.read { try $0.history(since: entries[2].token) }.value()
        #expect(last.map(\.extent) == [.unknown(.tables), .rows] && last.map(\.tables) == [[], ["Other"]])
        await closed(more)
        await closed(try open(folder, .dropped, entities: Diary.entities + [Film.self]))
        let without = try open(folder, .none, entities: Diary.entities + [Film.self])
        await expectFailure(\.isMisuse) { try await without.read { try $0.historyToken() }.value() }
        await closed(without)
    }

    @Test("Change signals and live queries do not report the table of the history")
    func hidden() async throws {
        let folder = try TemporaryFolder()
        let repository = try open(folder, forever)
        let changes = repository.changes().record()
        let counts = repository.countSubscription(Diary.Page.self).record()
        #expect(await counts.values(1) == [0])
        for number in 1...3 { try await repository.create(Diary.Page(number: number, text: "")).value() }
        #expect(await changes.values(3).map(\.tables) == [["Page"], ["Page"], ["Page"]])
        #expect(await counts.last(where: { $0 == 3 }) == 3)
        await expectFailure(\.isMisuse) {
            try await repository.transaction { try $0.execute("DROP TABLE signal_repository_history; x") }.value()
        }
        await closed(repository)
    }

    @Test("A sink that requests late receives everything, even more than one page")
    func slow() async throws {
        let folder = try TemporaryFolder()
        let repository = try open(folder, forever)
        let live = repository.changes(since: .beginning).record(demand: .none)
        for number in 0..<1_050 { try await repository.create(Diary.Page(number: number, text: "")).value() }
        #expect(live.values.count == 0)
        live.request(.unlimited)
        let entries = await live.values(1_050)
        #expect(try entries.flatMap { try $0.inserted(of: Diary.Page.self) } == Array(0..<1_050))
        try await repository.create(Diary.Page(number: 2_000, text: "")).value()
        #expect(await live.values(1_051).count == 1_051)
        await closed(repository)
    }

    /// The words that were changed since a token, except by a sync, and the latest token.
    private func changed(
        _ repository: SQLiteRepository, since token: HistoryToken
    ) async throws -> (ids: Set<ExactText>, token: HistoryToken) {
        try await repository.read { store in
            var (ids, now) = (Set<ExactText>(), token)
            for entry in try store.history(since: token) {
                now = entry.token
                if entry.author == "sync" { continue }
                let words = try entry.inserted(of: Diary.Word.self) + entry.updated(of: Diary.Word.self)
                ids.formUnion(try (words + entry.deleted(of: Diary.Word.self)).map { ExactText($0) })
            }
            return (ids, now)
        }.value()
    }

    @Test("Two stores that apply each other's changes are equal, and items changed on both sides are known")
    func sync() async throws {
        let folder = try TemporaryFolder()
        let stores = try ["a", "b"].map { try open(folder, forever, name: $0) }
        var tokens = [HistoryToken.beginning, .beginning]
        var random = SeededGenerator(seed: 7)
        for _ in 0..<10 {
            var touched = [Set<ExactText>(), Set<ExactText>()]
            for side in 0..<2 {
                for _ in 0..<Int.random(in: 0...4, using: &random) {
                    let (id, count) = (TextZoo.random(&random), Int.random(in: 0...9, using: &random))
                    if count == 0 {
                        guard (try? await stores[side].delete(Diary.Word.self, id: id).value()) != nil else { continue }
                    } else {
                        try await stores[side].upsert(Diary.Word(id: id, count: count)).value()
                    }
                    touched[side].insert(ExactText(id))
                }
            }
            var lists: [Set<ExactText>] = []
            for side in 0..<2 {
                let (ids, token) = try await changed(stores[side], since: tokens[side])
                tokens[side] = token
                lists.append(ids)
            }
            #expect(lists == touched)
            // If both stores changed an item, the first store wins.
            for (from, to, ids) in [(1, 0, lists[1].subtracting(lists[0])), (0, 1, lists[0])] {
                for id in ids.map(\.text) {
                    let word = try? await stores[from].read(Diary.Word.self, id: id).value()
                    try await stores[to].transaction(author: "sync") { store in
                        if let word { try store.upsert(word) } else { _ = try? store.delete(Diary.Word.self, id: id) }
                    }.value()
                }
            }
            let states = try await (Diary.state(of: stores[0]), Diary.state(of: stores[1]))
            #expect(states.0 == states.1)
        }
        for store in stores { await closed(store) }
    }

    @Test("Another program's table with the history's name is refused; a damaged entry is .corrupt")
    func damaged() async throws {
        let folder = try TemporaryFolder()
        let repository = try open(folder, forever)
        try await repository.create(Diary.Page(number: 1, text: "")).value()
        await closed(repository)
        let raw = try RawDatabase(folder.file())
        try raw.run("UPDATE signal_repository_history SET rows = x'01ff'")
        raw.close()
        let damaged = try open(folder, forever)
        await expectFailure({ if case .corrupt = $0 { true } else { false } }) {
            try await damaged.read { try $0.history(since: .beginning) }.value()
        }
        await closed(damaged)
        let other = try RawDatabase(folder.file())
        try other.run("DROP TABLE signal_repository_history; CREATE TABLE signal_repository_history (x TEXT) STRICT")
        other.close()
        let error = try thrown { () throws(RepositoryError) in try open(folder, forever) }
        #expect("\(error)".contains("signal_repository_history"))
    }

    @Test(
        "After a kill, the history has each acknowledged commit, and nothing that is not in the tables",
        .prompt)
    func killed() async throws {
        let rounds = ProcessInfo.processInfo.environment["KILLS"].flatMap { Int($0) } ?? 2
        for _ in 0..<rounds {
            let folder = try TemporaryFolder()
            await #expect(processExitsWith: .exitCode(7)) { [path = folder.path as String] in
                let repository = try SQLiteRepository(
                    .file(path + "/store.sqlite"), entities: Diary.entities,
                    configuration: RepositoryConfiguration(
                        durability: .normal, history: .kept(for: .seconds(1_000_000), isUndoable: true)))
                let (end, acknowledged) = (Int.random(in: 1...60), Counter())
                for number in 0..<100 {
                    let work = repository.transaction { store in
                        try store.create(Diary.Page(number: number, text: "x"))
                        if number > 3 { try store.delete(Diary.Page.self, id: number - 3) }
                    }
                    _ = work.record { _, event in
                        guard case .value = event, acknowledged.add() == end else { return }
                        try? Data(repeating: 65, count: end).write(to: URL(fileURLWithPath: path + "/told"))
                        _exit(7)
                    }
                }
                await closed(repository)
                // Acknowledgements may still be on their way; one of them ends the process.
                _ = try await Signal<Int, RepositoryError>.never().value()
            }
            let acknowledged = try Data(contentsOf: URL(fileURLWithPath: folder.file("told"))).count
            let repository = try open(folder, .kept(for: .seconds(1_000_000), isUndoable: true))
            let entries = try await repository.read { try $0.history(since: .beginning) }.value()
            #expect(entries.count >= acknowledged)
            #expect(try entries.flatMap { try $0.inserted(of: Diary.Page.self) } == Array(0..<entries.count))
            var there: Set<Int> = []
            for entry in entries {
                there.formUnion(try entry.inserted(of: Diary.Page.self))
                there.subtract(try entry.deleted(of: Diary.Page.self))
            }
            #expect(try await Set(repository.fetch(Diary.Page.all).value().map(\.number)) == there)
            // Every commit can be undone, back to the beginning.
            while try await repository.undo().value() != nil {}
            #expect(try await repository.count(Diary.Page.self).value() == 0)
            await closed(repository)
        }
    }
}

/// A clock that only `advance(by:)` moves.
private final class Clock: Sendable {
    private let time = Lock(Date(timeIntervalSince1970: 1_000_000))

    var now: Date { time.withLock { $0 } }

    func advance(by seconds: Double) { time.withLock { $0 += seconds } }
}
