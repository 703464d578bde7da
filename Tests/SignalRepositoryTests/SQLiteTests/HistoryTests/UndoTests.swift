import Foundation
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Undoing commits", .timeLimit(.minutes(10))) struct UndoTests {
    private let history = StoreHistory.kept(for: .seconds(1_000_000), isUndoable: true)

    private func open(_ kind: StoreKind, _ folder: TemporaryFolder) throws -> SQLiteRepository {
        try SQLiteRepository(
            kind == .memory ? .inMemory : .file(folder.file()), entities: Diary.entities,
            configuration: RepositoryConfiguration(history: history))
    }

    @Test("Undo back to the beginning and redo restore each state", arguments: StoreKind.local, 0..<12)
    func thereAndBack(kind: StoreKind, seed: Int) async throws {
        let folder = try TemporaryFolder()
        let repository = try open(kind, folder)
        var random = SeededGenerator(seed: UInt64(seed))
        var diary = Diary()
        for _ in 0..<15 { try await diary.commit(to: repository, author: "ann", &random) }
        let states = [[:]] + diary.commits.map(\.after)
        var place = states.count - 1
        // A random walk, and then all the way in both directions.
        let walk = (0..<20).map { _ in Bool.random(using: &random) }
        for isBack in walk + Array(repeating: true, count: 36) + Array(repeating: false, count: 36) {
            let entry =
                isBack
                ? try await repository.undo(author: "ann").value() : try await repository.redo(author: "ann").value()
            let next = place + (isBack ? -1 : 1)
            #expect((entry != nil) == states.indices.contains(next))
            if entry != nil { place = next }
            let state = try await Diary.state(of: repository)
            #expect(state.filter { !$0.value.isEmpty } == states[place].filter { !$0.value.isEmpty })
        }
        #expect(place == states.count - 1)
        #expect(try await repository.check().value().isSound)
        await closed(repository)
    }

    @Test("S-L2 A transaction whose history takes more than 64 MiB is .tooBig, and changes nothing")
    func tooMuch() async throws {
        let repository = try SQLiteRepository(
            .inMemory, entities: Box<Data>.self, configuration: RepositoryConfiguration(history: history))
        for id in 1...17 {
            try await repository.create(Box(id: id, value: Data(repeating: UInt8(id), count: 4 << 20))).value()
        }
        await expectFailure(\.isTooBig) {
            try await repository.delete(Box<Data>.self) { _ in .true }.value()
        }
        #expect(try await repository.count(Box<Data>.self).value() == 17)
        #expect(try await repository.delete(Box<Data>.self) { $0.id < 9 }.value() == 8)
        try await repository.undo().value()
        #expect(try await repository.count(Box<Data>.self).value() == 17)
        await closed(repository)
    }

    @Test("A later change of the same rows is a conflict that names the items; changes of other rows are not")
    func conflict() async throws {
        let folder = try TemporaryFolder()
        let repository = try open(.file, folder)
        try await repository.insert([Diary.Page(number: 1, text: "a"), Diary.Page(number: 2, text: "b")]).value()
        try await repository.authored(by: "ann").update(Diary.Page(number: 1, text: "ann")).value()
        try await repository.authored(by: "bob").update(Diary.Page(number: 2, text: "bob")).value()
        try await repository.undo(author: "ann").value()
        #expect(try await repository.read(Diary.Page.self, id: 1).value().text == "a")
        try await repository.redo(author: "ann").value()
        try await repository.authored(by: "bob").update(Diary.Page(number: 1, text: "bob")).value()
        await expectFailure({ $0 == .conflict(items: [FailedItem(entity: "Page", id: "1")]) }) {
            try await repository.undo(author: "ann").value()
        }
        #expect(try await repository.read(Diary.Page.self, id: 1).value().text == "bob")
        // Once the later change is undone, it is no longer a conflict.
        try await repository.undo(author: "bob").value()
        try await repository.undo(author: "ann").value()
        #expect(try await repository.read(Diary.Page.self, id: 1).value().text == "a")
        // A new commit after an undo ends what can be redone.
        try await repository.authored(by: "ann").create(Diary.Page(number: 9, text: "")).value()
        #expect(try await repository.redo(author: "ann").value() == nil)
        #expect(try await repository.undo(author: "nobody").value() == nil)
        await closed(repository)
    }

    @Test("Rows that refer to each other are restored and removed together")
    func references() async throws {
        let folder = try TemporaryFolder()
        let repository = try open(.file, folder)
        try await repository.transaction { store in
            try store.create(Diary.Page(number: 1, text: ""))
            try store.create(Diary.Note(page: 1, word: "x", size: 1))
        }.value()
        let all = try await Diary.state(of: repository)
        try await repository.delete(Diary.Page.self, id: 1).value()
        #expect(try await repository.count(Diary.Note.self).value() == 0)
        try await repository.undo().value()
        #expect(try await Diary.state(of: repository) == all)
        try await repository.undo().value()
        #expect(try await repository.count(Diary.Page.self).value() == 0)
        // A page that has got a note since is not removed.
        try await repository.redo().value()
        try await repository.authored(by: "bob").create(Diary.Note(page: 1, word: "y", size: nil)).value()
        await expectFailure(\.isMisuse) { try await repository.undo().value() }
        #expect(try await repository.count(Diary.Note.self).value() == 2)
        await closed(repository)
    }

    @Test("If a trigger would change a restored row, undo fails, and nothing is undone")
    func triggers() async throws {
        let repository = try SQLiteRepository(
            .inMemory, entities: Diary.entities,
            whenNew: { store in
                try store.execute(
                    """
                    CREATE TRIGGER counted AFTER UPDATE OF text ON Page \
                    BEGIN INSERT INTO Word VALUES (new.text, 1) ON CONFLICT DO UPDATE SET count = count + 1; END
                    """)
                try store.execute(
                    """
                    CREATE TRIGGER trimmed AFTER INSERT ON Page \
                    BEGIN UPDATE Page SET text = trim(text) WHERE number = new.number; END
                    """)
            }, configuration: RepositoryConfiguration(history: history))
        try await repository.create(Diary.Page(number: 1, text: "a")).value()
        try await repository.update(Diary.Page(number: 1, text: "b")).value()
        let state = try await Diary.state(of: repository)
        await expectFailure(\.isMisuse) { try await repository.undo().value() }
        #expect(try await Diary.state(of: repository) == state)
        await closed(repository)
    }

    @Test("Undo is refused without old values, after a schema change, and in a store without a history")
    func refused() async throws {
        let lean = try SQLiteRepository(
            .inMemory, entities: Diary.entities,
            configuration: RepositoryConfiguration(history: .kept(for: .seconds(100))))
        try await lean.create(Diary.Page(number: 1, text: "a")).value()
        try await lean.update(Diary.Page(number: 1, text: "b")).value()
        await expectFailure(\.isMisuse) { try await lean.undo().value() }
        await closed(lean)
        let plain = try SQLiteRepository(.inMemory, entities: Diary.entities)
        await expectFailure(\.isMisuse) { try await plain.undo().value() }
        await closed(plain)
        let changed = try SQLiteRepository(
            .inMemory, entities: Diary.entities, configuration: RepositoryConfiguration(history: history))
        try await changed.create(Diary.Page(number: 1, text: "a")).value()
        try await changed.transaction(author: "x") { try $0.execute("CREATE TABLE Other (x)") }.value()
        await expectFailure(\.isMisuse) { try await changed.undo().value() }
        await closed(changed)
    }

    @Test("An undo is a commit like any other: live queries and change signals see it")
    func live() async throws {
        let repository = try SQLiteRepository(
            .inMemory, entities: Diary.entities, configuration: RepositoryConfiguration(history: history))
        let sums = repository.sumSubscription(of: \Diary.Word.count).record()
        let authors = repository.changes().record()
        #expect(await sums.values(1) == [0])
        try await repository.authored(by: "ann").create(Diary.Word(id: "a", count: 5)).value()
        #expect(await sums.values(2) == [0, 5])
        try await repository.undo(author: "ann").value()
        #expect(await sums.values(3) == [0, 5, 0])
        try await repository.redo(author: "ann").value()
        #expect(await sums.values(4) == [0, 5, 0, 5])
        #expect(await authors.values(3).map(\.author) == ["ann", "ann", "ann"])
        await closed(repository)
    }

    @Test("S-L14 Undo runs one statement for each row")
    func statements() async throws {
        let (reports, continuation) = AsyncStream<StatementReport>.makeStream()
        var configuration = RepositoryConfiguration(history: history)
        configuration.statementLog = StatementLog { continuation.yield($0) }
        let repository = try SQLiteRepository(.inMemory, entities: [Diary.Word.self], configuration: configuration)
        try await repository.insert((0..<200).map { Diary.Word(id: "\($0)", count: $0) }).value()
        try await repository.transaction { try $0.execute("UPDATE Word SET count = count + 1") }.value()
        try await repository.transaction { try $0.execute("SELECT 815") }.value()
        try await repository.undo().value()
        try await repository.read { _ = try $0.rows("SELECT 4711") }.value()
        await closed(repository)
        var undo: [String] = []
        for await report in reports {
            if report.sql == "SELECT 815" { undo = [] }
            if report.sql == "SELECT 4711" { break }
            undo.append(report.sql)
        }
        #expect(undo.count { $0.hasPrefix("UPDATE \"Word\"") } == 200)
        #expect(undo.count < 225)
    }
}
