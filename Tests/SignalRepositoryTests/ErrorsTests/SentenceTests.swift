import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

/// The sentences of errors, as they address the person who made the mistake.
@Suite("R12 Sentences", .timeLimit(.minutes(10))) struct SentenceTests {
    private func sentence<Value>(
        sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Value
    ) async -> String {
        do {
            let value = try await body()
            Issue.record("It should have failed, but returned \(value).", sourceLocation: sourceLocation)
            return ""
        } catch { return "\(error)" }
    }

    @Test("R12 an entity that the store was not opened with is named", arguments: StoreKind.allCases)
    func notOpened(kind: StoreKind) async throws {
        try await withRepository(kind) { repository async throws in
            let tower = Tower(id: 1, kind: .bell)
            let sentences = [
                await sentence { try await repository.create(tower).value() },
                await sentence { try await repository.fetch(Tower.all).value() },
                await sentence { try await repository.insert([tower]).value() },
                await sentence {
                    try await repository.update(Tower.self, set: [.set(\.id, to: 2)]) { _ in .true }.value()
                },
                await sentence { try await repository.delete(Tower.self, id: 1).value() },
                await sentence { try await repository.count(Tower.self).value() },
                await sentence { try await repository.countSubscription(Tower.self).value() },
                await sentence { try await repository.transaction { try $0.rows(#"SELECT 1 FROM "Tower""#) }.value() },
            ]
            for sentence in sentences {
                #expect(sentence.contains("the store has no table Tower"), "\(sentence)")
                #expect(sentence.contains("entities: …, Tower.self"), "\(sentence)")
            }
            try await repository.create(Film.numbered(1)).value()
            #expect(try await repository.count(Film.self).value() == 1)
        }
    }

    @Test("R12 the error for deleting a referenced item names the reference", arguments: StoreKind.allCases)
    func referredTo(kind: StoreKind) async throws {
        try await withRepository(kind, [Tower.self, Bell.self]) { repository async throws in
            try await repository.insert([Tower(id: 1, kind: .bell), Tower(id: 2, kind: .clock)]).value()
            try await repository.create(Bell(id: 1, tower: 1, twin: nil)).value()
            try await repository.create(Bell(id: 2, tower: 1, twin: 1)).value()
            for sentence in [
                await sentence { try await repository.delete(Tower.self, id: 1).value() },
                await sentence { try await repository.delete(Tower.self) { _ in .true }.value() },
                await sentence { try await repository.transaction { try $0.execute(#"DELETE FROM "Tower""#) }.value() },
            ] {
                #expect(sentence.contains("Bell.tower still refers to it"), "\(sentence)")
                #expect(!sentence.contains("points to no item"), "\(sentence)")
            }
            let twin = await sentence { try await repository.delete(Bell.self, id: 1).value() }
            #expect(twin.contains("twin still refers to it"))
            let nowhere = await sentence { try await repository.create(Bell(id: 3, tower: 9, twin: nil)).value() }
            #expect(nowhere.contains("the reference tower would point to no item"), "\(nowhere)")
            #expect(!nowhere.contains("still"))
            #expect(try await repository.count(Tower.self).value() == 2)
        }
    }

    @Test("R12 the error for an unknown raw value names table, id, column and value", arguments: StoreKind.allCases)
    func unknownCase(kind: StoreKind) async throws {
        try await withRepository(kind, [Tower.self]) { repository async throws in
            try await repository.insert([Tower(id: 1, kind: .bell), Tower(id: 2, kind: .clock)]).value()
            for value in ["minaret", ""] {
                try await repository.transaction { store in
                    try store.execute(#"UPDATE "Tower" SET kind = ? WHERE id = 2"#, value)
                }.value()
                for sentence in [
                    await sentence { try await repository.fetch(Tower.all).value() },
                    await sentence { try await repository.read(Tower.self, id: 2).value() },
                    await sentence { try await repository.fetchSubscription(Tower.all).value() },
                ] {
                    for part in ["Tower.kind", "\"\(value)\" is not a raw value of Kind", "Tower 2"] {
                        #expect(sentence.contains(part), "\(sentence)")
                    }
                }
                let found = try await repository.fetch(Tower.all.lenient).value()
                #expect(found.success == [Tower(id: 1, kind: .bell)] && found.failed.map(\.item) == [1])
            }
        }
    }

    @Test("R12 a failing source's error says how many items stay", arguments: StoreKind.allCases, [0, 1, 2, 7, 10])
    func source(kind: StoreKind, count: Int) async throws {
        try await withRepository(kind) { repository async throws in
            let films = Signal<Film, Broken>.sequence((0..<count).map { Film.numbered($0) }).append(.fail(Broken()))
            let said = await sentence { try await repository.insert(from: films, batch: 2).last().value() }
            let stored = count - count % 2
            #expect(try await repository.count(Film.self).value() == stored)
            let kept = stored == 0 ? "nothing of it was stored" : "its first \(stored) items stay stored"
            #expect(said.contains(kept) && said.contains("Broken"), "\(said)")
        }
    }

    @Test("R12 a source's failure during the write of a batch does not overtake it", arguments: StoreKind.allCases)
    func overtaking(kind: StoreKind) async throws {
        try await withRepository(kind) { repository async throws in
            let (source, gate) = (Broadcast<Film, Broken>(), Gate())
            let blocked = repository.transaction { _ in gate.wait() }.record()
            let counts = repository.insert(from: source.signal, batch: 2).record()
            for number in 1...3 { source.send(Film.numbered(number)) }
            source.send(completion: .failure(Broken()))
            gate.open()
            guard case .failure(let error)? = await counts.end() else { return #expect(Bool(false)) }
            #expect(error == .sourceFailed(stored: 2, by: ThrownError(Broken())))
            #expect(counts.values == [2])
            #expect(try await repository.count(Film.self).value() == 2)
            _ = await blocked.end()
        }
    }
}

private struct Broken: Error, Hashable {}

private struct Tower: Entity, Equatable {
    enum Kind: String, ColumnValue { case bell, clock }

    var id: Int
    var kind: Kind

    static let schema = Schema(Column("id", \Tower.id), Column("kind", \.kind), make: Tower.init)
}

private struct Bell: Entity, Equatable {
    let id: Int
    var tower: Int
    var twin: Int?

    static let schema = Schema(
        Column("id", \Bell.id), Column("tower", \.tower, .references(Tower.self)),
        Column("twin", \.twin, .references(Bell.self)), make: Bell.init)
}
