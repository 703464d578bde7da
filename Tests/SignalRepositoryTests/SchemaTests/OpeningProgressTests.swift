import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Opening without blocking, and erasing", .timeLimit(.minutes(10))) struct OpeningProgressTests {
    @Test("Each attach reports every step that runs, then the open store; a blocked sink delays no step")
    func progress() async throws {
        let folder = try TemporaryFolder()
        await closed(try SQLiteRepository(.file(folder.file()), entities: OldFilm.self))
        let isBlocked = Gate()
        let steps = ["one", "two", "three"].map { name in
            Migration(name) { _ in if name == "three" { isBlocked.open() } }
        }
        let opening = SQLiteRepository.opening(.file(folder.file()), entities: OldFilm.self, migrations: steps)
        let progress = opening.handleEvents(onValue: { value in
            // The last step runs although the sink is still busy with the first.
            if case .migrating("one") = value { isBlocked.wait() }
        }).record()
        #expect(await progress.end() == .finished)
        #expect(progress.values.map(\.word) == ["one", "two", "three", "open"])
        guard case .open(let repository)? = progress.values.last else { return }
        #expect(try await repository.count(OldFilm.self).value() == 0)
        let second = opening.record()
        guard case .failure(.ownedElsewhere)? = await second.end() else {
            Issue.record("The store was opened twice.")
            return
        }
        await closed(repository)
        let third = opening.record()
        #expect(await third.end() == .finished)
        #expect(third.values.map(\.word) == ["open"])
        if case .open(let repository)? = third.values.last { await closed(repository) }
    }

    @Test("A failed opening ends with a failure; a cancelled one closes the store again")
    func ended() async throws {
        let folder = try TemporaryFolder()
        let failing = SQLiteRepository.opening(.file(folder.file("none/x")), entities: Film.self).record()
        guard case .failure(.cannotOpen)? = await failing.end() else {
            Issue.record("The store was opened.")
            return
        }
        await closed(try SQLiteRepository(.file(folder.file()), entities: Film.self))
        let (isRunning, mayGoOn) = (Gate(), Gate())
        let step = Migration("slow") { _ in
            isRunning.open()
            mayGoOn.wait()
        }
        let opening = SQLiteRepository.opening(.file(folder.file()), entities: Film.self, migrations: [step]).record()
        await isRunning.opened()
        opening.cancel()
        mayGoOn.open()
        var configuration = RepositoryConfiguration()
        configuration.ownershipTimeout = .seconds(60)
        let after = try SQLiteRepository(
            .file(folder.file()), entities: Film.self, migrations: [step], configuration: configuration)
        #expect(!opening.values.contains { $0.word == "open" })
        await closed(after)
    }

    @Test("A store whose entities changed is erased if the caller asks for it, and refused otherwise")
    func erased() async throws {
        let folder = try TemporaryFolder()
        let first = try SQLiteRepository(.file(folder.file()), entities: Changed.First.self)
        try await first.create(Changed.First(id: 1, name: "a")).value()
        await expectFailure({ if case .ownedElsewhere = $0 { true } else { false } }) {
            try SQLiteRepository(.file(folder.file()), entities: Changed.Second.self, erasingIfChanged: true)
        }
        await closed(first)
        await expectFailure(\.isMismatch) { try SQLiteRepository(.file(folder.file()), entities: Changed.Second.self) }
        await expectFailure(\.isMismatch) {
            try SQLiteRepository(
                .file(folder.file()), entities: Changed.Second.self, erasingIfChanged: true,
                configuration: RepositoryConfiguration(access: .readOnly))
        }
        // A store that fits is not erased.
        let same = try SQLiteRepository(.file(folder.file()), entities: Changed.First.self, erasingIfChanged: true)
        #expect(try await same.count(Changed.First.self).value() == 1)
        await closed(same)
        for _ in 0..<2 {
            let second = try SQLiteRepository(
                .file(folder.file()), entities: Changed.Second.self, erasingIfChanged: true)
            try await second.upsert(Changed.Second(id: 1, name: 5)).value()
            #expect(try await second.fetch(Changed.Second.all).value() == [Changed.Second(id: 1, name: 5)])
            await closed(second)
        }
        let others = try RawDatabase(folder.file("others"))
        try others.run("CREATE TABLE Changed (id INTEGER PRIMARY KEY)")
        others.close()
        let before = try folder.contents()["others"]
        await expectFailure(\.isMismatch) {
            try SQLiteRepository(.file(folder.file("others")), entities: Changed.Second.self, erasingIfChanged: true)
        }
        #expect(try folder.contents()["others"] == before)
    }
}

/// An entity before and after a change that cannot be inferred.
private enum Changed {
    struct First: Entity, Equatable {
        let id: Int
        var name: String

        static let entityName = "Changed"
        static let schema = Schema(Column("id", \First.id), Column("name", \.name), make: First.init)
    }

    struct Second: Entity, Equatable {
        let id: Int
        var name: Int

        static let entityName = "Changed"
        static let schema = Schema(Column("id", \Second.id), Column("name", \.name), make: Second.init)
    }
}

extension OpeningProgress {
    fileprivate var word: String {
        switch self {
        case .migrating(let step): step
        case .open: "open"
        }
    }
}

extension RepositoryError {
    fileprivate var isMismatch: Bool { if case .schemaMismatch = self { true } else { false } }
}
