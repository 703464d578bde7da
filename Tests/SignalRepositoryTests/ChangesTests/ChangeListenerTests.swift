import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Listeners of changes", .timeLimit(.minutes(10))) struct ChangeListenerTests {
    @Test("R9 A listener may write, listen and cancel inside a callback", arguments: StoreKind.allCases)
    func reentrancy(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let all = repository.changes().record()
            // The callback answers each film by writing the next one.
            let chain = repository.changes(of: Film.self).record { recorder, event in
                guard case .value(let changes) = event,
                    let film = try? changes.inserted(of: Film.self).first
                else { return }
                if film.number == 50 { return recorder.cancel() }
                repository.create(Film.numbered(film.number + 1)).sink(onValue: { _ in }, onCompletion: { _ in })
                    .detach()
                repository.changes().sink(onValue: { _ in }, onCompletion: { _ in }).cancel()
            }
            try await repository.create(Film.numbered(1)).value()
            let sets = await all.values(50)
            #expect(try sets.flatMap { try $0.inserted(of: Film.self).map(\.number) } == Array(1...50))
            #expect(sets.map(\.commit) == Array(1...50))
            #expect(chain.breaches.isEmpty && all.breaches.isEmpty)
            all.cancel()
        }
    }

    @Test(
        "R14 A listener receives the writes attached after it, and none of those attached before",
        arguments: StoreKind.allCases)
    func beginning(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            for round in 0..<30 {
                let before = repository.create(Film.numbered(round * 10)).record()
                let recorder = repository.changes().record()
                let after = repository.create(Film.numbered(round * 10 + 1)).record()
                _ = (await before.end(), await after.end())
                let lines = try await recorder.values(1).map { try ChangeLine($0).description }
                #expect(lines == ["+\(round * 10 + 1) Film \(round * 10 + 1)"])
                recorder.cancel()
            }
        }
    }

    // The test must know which rows change.
    @Test("R17 No rows are captured for a listener that was cancelled", arguments: StoreKind.local)
    func cancelled(kind: StoreKind) async throws {
        try await withSQLite(kind) { repository in
            let recorder = repository.changes().record()
            try await repository.create(Film.numbered(0)).value()
            _ = await recorder.values(1)
            #expect(!repository.engine.log.capture.interest.isEmpty)
            recorder.cancel()
            // The cancel reaches the log a little later, because it does not wait for a commit.
            for number in 1...1_000 where !repository.engine.log.capture.interest.isEmpty {
                try await repository.create(Film.numbered(number)).value()
            }
            #expect(repository.engine.log.capture.interest.isEmpty)
        }
    }

    @Test("A delete of all rows is reported, even if it ran before without a listener", arguments: StoreKind.allCases)
    func deleteAll(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let empty = repository.transaction { store in try store.execute("DELETE FROM \"Film\"") }
            for _ in 0..<3 {
                try await repository.insert((1...3).map { Film.numbered($0) }).value()
                let recorder = repository.changes(of: Film.self).record()
                #expect(try await empty.value() == 3)
                #expect(try await recorder.values(1).first?.deleted(of: Film.self).count == 3)
                recorder.cancel()
                #expect(try await empty.value() == 0)
            }
        }
    }

    @Test(
        "A slow listener loses no change up to its bound, and learns when the backlog has exceeded it",
        arguments: StoreKind.allCases)
    func backlog(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let dropped = Broadcast<Int, Never>(bufferSize: 100, whenFull: .dropOldest)
            let heard = dropped.signal.record()
            let observing = DiscardHook.observe { discard in
                guard let changes = discard.payload as? ChangeSet, discard.reason == .overflow else { return }
                if changes.author == "\(kind)" { dropped.send(changes.commit) }
            }
            let patient = repository.changes(backlog: 20).record(demand: .none)
            let behind = repository.changes(backlog: 19).record(demand: .none)
            try await repository.insert((100..<200).map { Film.numbered($0) }).value()
            patient.request(.max(1))
            behind.request(.max(1))
            // The change set has more rows than the bound, but no other one waits, so it is delivered whole.
            #expect(try await patient.values(1).first?.inserted(of: Film.self).count == 100)
            #expect(try await behind.values(1).first?.inserted(of: Film.self).count == 100)
            for number in 0..<20 {
                try await repository.transaction(author: "\(kind)") { try $0.create(Film.numbered(number)) }.value()
            }
            // A new live query sends its first value only after the store has received all 20 commits.
            _ = try await repository.countSubscription(Film.self).value()
            #expect(patient.values.count == 1 && behind.values.count == 1)
            patient.request(.unlimited)
            behind.request(.unlimited)
            #expect(
                try await patient.values(21).dropFirst().map { try $0.inserted(of: Film.self)[0].number }
                    == Array(0..<20))
            let late = await behind.values(2)
            #expect(late.last?.extent == .unknown(.backlog) && late.last?.commit == patient.values.last?.commit)
            try await repository.create(Film.numbered(21)).value()
            #expect(try await behind.values(3).last.map { try ChangeLine($0).description } == "+21 Film 21")
            #expect(late.last.map { set in (try? set.inserted(of: Film.self)) == nil } == true)
            for recorder in [patient, behind] { recorder.cancel() }
            #expect(await heard.values(20).sorted() == Array(2...21))
            observing.cancel()
        }
    }

    @Test("R11 A close delivers the waiting change sets and then fails with .closed", arguments: StoreKind.allCases)
    func closing(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let recorder = repository.changes().record(demand: .none)
            for number in 0..<3 { _ = try await repository.create(Film.numbered(number)).value() }
            await closed(repository)
            #expect(!recorder.isEnded)
            recorder.request(.unlimited)
            guard case .failure(.closed)? = await recorder.end() else { return #expect(Bool(false)) }
            #expect(recorder.values.map(\.commit) == [1, 2, 3])
            guard case .failure(.closed)? = await repository.changes().record().end() else {
                return #expect(Bool(false))
            }
        }
    }

    @Test("R14 A commit of another connection is reported as a change set with unknown rows")
    func elsewhere() async throws {
        try await withFolder { folder in
            let path = folder + "/store.sqlite"
            let repository = try SQLiteRepository(.file(path), entities: Film.self)
            try await repository.create(Film.numbered(1)).value()
            let recorder = repository.changes(of: Film.self).record()
            let object = repository.objectChanges(Film.self, id: Film.id(1)).record()
            try await repository.create(Film.numbered(2)).value()
            _ = await recorder.values(1)
            let other = try RawDatabase(path)
            try other.run("UPDATE Film SET title = 'elsewhere'")
            let sets = await recorder.values(2)
            #expect(sets.last?.extent == .unknown(.otherConnection) && sets.last?.author == nil)
            #expect(await object.values(1) == [.unknown])
            other.close()
            try await repository.create(Film.numbered(3)).value()
            #expect(try await recorder.values(3).last.map { try ChangeLine($0).description } == "+3 Film 3")
            #expect(recorder.values.map(\.commit) == recorder.values.map(\.commit).sorted())
            recorder.cancel()
            object.cancel()
            await closed(repository)
        }
    }

    @Test("R14 A read-only repository reports the commits of other connections")
    func readOnly() async throws {
        try await withFolder { folder in
            let path = folder + "/store.sqlite"
            let writer = try SQLiteRepository(.file(path), entities: Film.self)
            try await writer.create(Film.numbered(1)).value()
            let reader = try SQLiteRepository(
                .file(path), entities: Film.self, configuration: RepositoryConfiguration(access: .readOnly))
            let counts = reader.countSubscription(Film.self).record()
            let recorder = reader.changes(of: Film.self).record()
            _ = await counts.values(1)
            // A second live signal gets its value after the first pass, in which the listener learns where it begins.
            _ = await reader.countSubscription(Film.self).record().values(1)
            try await writer.create(Film.numbered(2)).value()
            #expect(await recorder.values(1).first?.extent == .unknown(.otherConnection))
            _ = await counts.values(2)
            recorder.cancel()
            counts.cancel()
            await closed(reader)
            await closed(writer)
        }
    }

    @Test("The changes of one object are reported in order, without those of others", arguments: StoreKind.allCases)
    func object(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let recorder = repository.objectChanges(Film.self, id: Film.id(1)).record()
            try await repository.create(Film.numbered(2)).value()
            try await repository.insert([Film.numbered(1), .numbered(3)]).value()
            _ = try await repository.transaction { store in
                try store.execute("UPDATE \"Film\" SET title = 'x'")
            }.value()
            try await repository.delete(Film.numbered(2)).value()
            try await repository.transaction { store in try store.execute("DELETE FROM \"Film\"") }.value()
            try await repository.create(Film.numbered(1)).value()
            #expect(
                await recorder.values(4) == [
                    .created(.numbered(1)), .updated(.numbered(1, title: "x")), .deleted, .created(.numbered(1)),
                ])
            recorder.cancel()
        }
    }

    // The test must know which rows change.
    @Test(
        "R14 Tables made by raw SQL are reported too, even without a row id and with a key of two columns",
        arguments: StoreKind.local)
    func rawTables(kind: StoreKind) async throws {
        try await withSQLite(kind) { repository in
            try await repository.transaction { store in try store.execute(Word.creation) }.value()
            let recorder = repository.changes(of: Word.self, Film.self).record()
            let object = repository.objectChanges(Word.self, id: "wort").record()
            _ = try await repository.transaction { store in
                try store.execute("INSERT INTO Word VALUES (1, 'en', 'word', 1), (2, 'de', 'wort', 2)")
                try store.create(Film.numbered(1))
            }.value()
            _ = try await repository.transaction { store in
                try store.execute("UPDATE Word SET uses = 9 WHERE language = 'de'")
            }.value()
            try await repository.transaction { store in try store.execute("DELETE FROM Word") }.value()
            let sets = await recorder.values(3)
            let (word, wort) = (
                Word(id: "word", language: "en", uses: 1, share: 1), Word(id: "wort", language: "de", uses: 2, share: 2)
            )
            var used = wort
            used.uses = 9
            #expect(sets[0].tables == ["Word", "Film"])
            #expect(try sets[0].inserted(of: Word.self) == [word, wort])
            #expect(try sets[1].updated(of: Word.self).map { [$0.old, $0.new] } == [[wort, used]])
            #expect(try Set(sets[2].deleted(of: Word.self).map(\.id)) == ["word", "wort"])
            #expect(await object.values(3) == [.created(wort), .updated(used), .deleted])
            recorder.cancel()
            object.cancel()
        }
    }

    // The test must know which rows change.
    @Test("A commit that alters a table has unknown rows; the next one lists its rows", arguments: StoreKind.local)
    func tables(kind: StoreKind) async throws {
        try await withSQLite(kind) { repository in
            let recorder = repository.changes(of: Film.self).record()
            _ = try await repository.transaction(author: "me") { store in
                try store.execute("ALTER TABLE Film ADD COLUMN extra INTEGER DEFAULT 3")
            }.value()
            try await repository.create(Film.numbered(1)).value()
            let sets = await recorder.values(2)
            #expect(sets[0].extent == .unknown(.tables) && sets[0].author == "me")
            #expect(try ChangeLine(sets[1]).description == "+1 Film 1")
            recorder.cancel()
        }
    }
}
