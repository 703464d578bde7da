import Foundation
import SignalRepository
import Testing

@Suite("A file that is encrypted by the program's own SQLite") struct EncryptionTests {
    private static let key = EncryptionKey("correct horse battery staple")
    private static let other = EncryptionKey("another")
    private static let count = 2_000

    private static func fill(_ folder: Folder, _ key: EncryptionKey? = key) async throws -> SQLiteRepository {
        let repository = try folder.open(key)
        try await repository.insert((0..<count).map(Note.numbered)).value()
        return repository
    }

    @Test("Nothing can be read in any of its files, open or closed; without a key everything can")
    func unreadable() async throws {
        for key in [Self.key, nil] {
            let folder = try Folder()
            let repository = try await Self.fill(folder, key)
            try await repository.update(
                Note.self, set: [.set(\.title, to: "\(Note.marker) again")]
            ) { $0.number == 3 }.value()
            try await repository.delete(Note.self) { $0.number == 4 }.value()
            #expect(
                try folder.files() == ["notes.sqlite", "notes.sqlite-wal", "notes.sqlite-shm", "notes.sqlite-lock"])
            let readable = key == nil
            for word in [Note.marker, "Note", "CREATE TABLE"] {
                #expect(try folder.files(in: word).isEmpty == !readable, "\(word)")
            }
            try await repository.vacuum().value()
            _ = try await repository.backup(to: folder.file("copy")).last().value()
            await repository.closed()
            #expect(try folder.files() == ["notes.sqlite", "notes.sqlite-lock", "copy"])
            for word in [Note.marker, "Note", "CREATE TABLE", "SQLite format"] {
                #expect(try folder.files(in: word) == (readable ? ["notes.sqlite", "copy"] : []), "\(word)")
            }
        }
    }

    @Test("A wrong key, a missing key, and a key for a plain file are refused, and the file stays as it is")
    func refused() async throws {
        let folder = try Folder()
        await (try await Self.fill(folder)).closed()
        await (try folder.open(nil, "plain.sqlite")).closed()
        let before = try folder.contents()
        for access in [StoreAccess.readWrite, .readOnly, .immutable] {
            #expect(await folder.refusal(Self.other, access: access) == .wrongKey(path: folder.file()))
            #expect(await folder.refusal(nil, access: access) == .notADatabase(path: folder.file()))
            #expect(
                await folder.refusal(Self.key, "plain.sqlite", access: access)
                    == .wrongKey(path: folder.file("plain.sqlite")))
        }
        guard case .misuse = await folder.refusal(EncryptionKey(""), "new.sqlite") else {
            return #expect(Bool(false))
        }
        #expect(throws: RepositoryError.self) {
            try SQLiteRepository(.inMemory, entities: Note.self, configuration: RepositoryConfiguration(key: Self.key))
        }
        // A store that may be erased when the model has changed is not erased either.
        #expect(throws: RepositoryError.wrongKey(path: folder.file())) {
            try SQLiteRepository(
                .file(folder.file()), entities: Note.self, erasingIfChanged: true,
                configuration: RepositoryConfiguration(key: Self.other))
        }
        let after = try folder.contents()
        #expect(after.keys.sorted() == before.keys.sorted())
        for (name, bytes) in before { #expect(after[name] == bytes, "\(name)") }
        let repository = try folder.open(Self.key)
        #expect(try await repository.count(Note.self).value() == Self.count)
        await repository.closed()
    }

    @Test("The key appears in no text: printed, reflected, in an error, in the statement log")
    func silent() async throws {
        let secret = "s3cret"
        let settings: KeyValuePairs = ["cipher": "sqlcipher", "legacy": "4"]
        let key = EncryptionKey(secret, settings: settings)
        var dumped = ""
        dump(key, to: &dumped)
        let texts = ["\(key)", "\(String(reflecting: key))", dumped, "\(Mirror(reflecting: key).children.map { $0 })"]
        #expect(texts.allSatisfy { !$0.contains(secret) && !$0.contains("\(secret.utf8.first ?? 0)") })
        let statements = Texts()
        var configuration = RepositoryConfiguration()
        configuration.statementLog = StatementLog(slowerThan: .zero) { statements.add("\($0)") }
        let folder = try Folder()
        let repository = try folder.open(key, configuration: configuration)
        try await repository.create(Note.numbered(1)).value()
        try await repository.rekey(to: EncryptionKey(secret + "2", settings: settings)).value()
        dump(repository, to: &dumped)
        await repository.closed()
        let error = await folder.refusal(EncryptionKey(secret + "3"))
        #expect(error == .wrongKey(path: folder.file()))
        #expect(!statements.all.isEmpty)
        #expect((statements.all + ["\(error as Any)", dumped]).allSatisfy { !$0.contains(secret) })
    }

    @Test("Every operation works: live values, search, backups, maintenance, suspending, read-only access")
    func verbs() async throws {
        let folder = try Folder()
        let repository = try await Self.fill(folder)
        var values = repository.countSubscription(Note.self).values.makeAsyncIterator()
        #expect(try await values.next() == Self.count)
        try await repository.create(Note.numbered(Self.count)).value()
        #expect(try await values.next() == Self.count + 1)
        #expect(repository.statistics.updatedInPlace > 0)
        #expect(try await repository.fetch(Note.matching(Note.marker).limit(3)).value().count == 3)
        let streamed = try await repository.stream(Note.all).collect().value()
        #expect(streamed.count == Self.count + 1)
        #expect(try await repository.check().value().isSound)
        try await repository.optimize().value()
        try await repository.suspend().value()
        try await repository.resume().value()
        #expect(try await repository.read(Note.self, id: 5).value() == Note.numbered(5))
        await #expect(throws: RepositoryError.self) { try await repository.backup().value() }
        _ = try await repository.backup(to: folder.file("copy")).last().value()
        let reading = try folder.open(Self.key, access: .readOnly)
        #expect(try await reading.count(Note.self).value() == Self.count + 1)
        await reading.closed()
        await repository.closed()
        #expect(await folder.refusal(nil, "copy") == .notADatabase(path: folder.file("copy")))
        let copy = try folder.open(Self.key, "copy", access: .immutable)
        #expect(try await copy.fetch(Note.all).value() == streamed)
        await copy.closed()
    }

    @Test("Items are copied from an encrypted file with its key, into a plain one and one with another key")
    func copied() async throws {
        let folder = try Folder()
        await (try await Self.fill(folder)).closed()
        let before = try folder.contents()["notes.sqlite"]
        for (key, name) in [(nil, "plain.sqlite"), (Self.other, "other.sqlite")] {
            let target = try folder.open(key, name)
            await #expect(throws: RepositoryError.wrongKey(path: folder.file())) {
                try await target.copy(Note.self, from: folder.file(), key: Self.other).value()
            }
            await #expect(throws: RepositoryError.notADatabase(path: folder.file())) {
                try await target.copy(Note.self, from: folder.file()).value()
            }
            let count = try await target.copy(Note.self, from: folder.file(), key: Self.key).value()
            #expect(count == Self.count)
            #expect(try await target.read(Note.self, id: 9).value() == Note.numbered(9))
            await target.closed()
        }
        #expect(try folder.contents()["notes.sqlite"] == before)
    }

    @Test("A plain file can be attached to an encrypted store, an encrypted file to a plain store cannot")
    func attached() async throws {
        let folder = try Folder()
        await (try await Self.fill(folder)).closed()
        let plain = try SQLiteRepository(.file(folder.file("plain.sqlite")), entities: Plain.self)
        try await plain.insert([Plain(id: 1, name: "a"), Plain(id: 2, name: "b")]).value()
        await plain.closed()
        var configuration = RepositoryConfiguration()
        configuration.attached = [AttachedFile(folder.file("plain.sqlite"), as: "plain", entities: Plain.self)]
        let repository = try folder.open(Self.key, configuration: configuration)
        #expect(try await repository.fetch(Plain.all).value().map(\.name) == ["a", "b"])
        #expect(try await repository.count(Note.self).value() == Self.count)
        await repository.closed()
        configuration.attached = [AttachedFile(folder.file(), as: "notes", entities: Note.self)]
        #expect(throws: RepositoryError.notADatabase(path: folder.file())) {
            try SQLiteRepository(.file(folder.file("plain.sqlite")), entities: Plain.self, configuration: configuration)
        }
    }

    @Test("A history is kept, and undone; opening as a signal and erasing take the key, too")
    func openings() async throws {
        let folder = try Folder()
        let location = StoreLocation.file(folder.file())
        let repository = try SQLiteRepository(
            location, entities: Note.self,
            configuration: RepositoryConfiguration(
                key: Self.key, history: .kept(for: .seconds(86_400), isUndoable: true)))
        try await repository.create(Note.numbered(1)).value()
        try await repository.update(Note(id: 1, title: "other", text: "", number: 0)).value()
        #expect(try await repository.undo().value()?.updated(of: Note.self) == [1])
        #expect(try await repository.fetch(Note.all).value() == [Note.numbered(1)])
        #expect(try await repository.read { try $0.history(since: .beginning).count }.value() == 3)
        #expect(try folder.files(in: Note.marker).isEmpty)
        await repository.closed()
        for try await progress in SQLiteRepository.opening(
            location, entities: Note.self, configuration: RepositoryConfiguration(key: Self.key, history: .dropped)
        ).values {
            guard case .open(let opened) = progress else { continue }
            #expect(try await opened.count(Note.self).value() == 1)
            await opened.closed()
        }
        let anew = try SQLiteRepository(
            location, entities: Changed.self, erasingIfChanged: true,
            configuration: RepositoryConfiguration(key: Self.key))
        #expect(try await anew.count(Changed.self).value() == 0)
        await anew.closed()
        #expect(await folder.refusal(nil) == .notADatabase(path: folder.file()))
    }

    @Test("A file of another program is opened with its key")
    func adopted() async throws {
        let folder = try Folder()
        try folder.make(
            "foreign.sqlite", "passphrase", "CREATE TABLE Plain (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
        let file = folder.file("foreign.sqlite")
        #expect(throws: RepositoryError.wrongKey(path: file)) {
            try SQLiteRepository(
                adopting: file, entities: Plain.self, configuration: RepositoryConfiguration(key: Self.other))
        }
        let repository = try SQLiteRepository(
            adopting: file, entities: Plain.self,
            configuration: RepositoryConfiguration(key: EncryptionKey("passphrase")))
        try await repository.create(Plain(id: 1, name: Note.marker)).value()
        #expect(try await repository.fetch(Plain.all).value() == [Plain(id: 1, name: Note.marker)])
        await #expect(throws: RepositoryError.self) { try await repository.rekey(to: Self.key).value() }
        await repository.closed()
        #expect(try folder.files(in: Note.marker).isEmpty)
        // A store of the library cannot be adopted with a key either.
        await (try await Self.fill(folder)).closed()
        guard
            case .misuse = #expect(
                throws: RepositoryError.self,
                performing: {
                    try SQLiteRepository(
                        adopting: folder.file(), entities: Note.self,
                        configuration: RepositoryConfiguration(key: Self.key))
                })
        else { return #expect(Bool(false)) }
    }

    @Test("After each change of the key, only the new key opens the file, or none, and live values continue")
    func rekeyed() async throws {
        let folder = try Folder()
        let repository = try await Self.fill(folder)
        var values = repository.countSubscription(Note.self).values.makeAsyncIterator()
        #expect(try await values.next() == Self.count)
        for (round, key) in [Self.other, Self.other, Self.key, nil, Self.key].enumerated() {
            try await repository.rekey(to: key).value()
            try await repository.create(Note.numbered(Self.count + round)).value()
            var now = 0
            while now <= Self.count + round, let next = try await values.next() { now = next }
            #expect(try folder.files(in: Note.marker).isEmpty == (key != nil))
            #expect(try await repository.check().value().isSound)
            let reading = try folder.open(key, access: .readOnly)
            #expect(try await reading.count(Note.self).value() == Self.count + round + 1)
            await reading.closed()
            let wrong = key == nil ? Self.key : EncryptionKey("no")
            #expect(await folder.refusal(wrong, access: .readOnly) == .wrongKey(path: folder.file()))
        }
        await repository.closed()
        #expect(await folder.refusal(Self.other) == .wrongKey(path: folder.file()))
        #expect(await folder.refusal(Self.key) == nil)
        #expect(try folder.files() == ["notes.sqlite", "notes.sqlite-lock"])
        await #expect(throws: RepositoryError.closed) { try await repository.rekey(to: Self.other).value() }
    }

    @Test("While another reader has the file open it keeps its key, and everything still works")
    func busy() async throws {
        let folder = try Folder()
        var configuration = RepositoryConfiguration()
        configuration.lockTimeout = .milliseconds(20)
        let repository = try folder.open(Self.key, configuration: configuration)
        try await repository.create(Note.numbered(1)).value()
        let reading = try folder.open(Self.key, access: .readOnly)
        #expect(try await reading.count(Note.self).value() == 1)
        let error = await #expect(throws: RepositoryError.self) { try await repository.rekey(to: Self.other).value() }
        guard case .busy = error else { return #expect(Bool(false), "\(error as Any)") }
        try await repository.create(Note.numbered(2)).value()
        #expect(try await reading.count(Note.self).value() == 2)
        await #expect(throws: RepositoryError.readOnly(detail: "it was opened for reading only")) {
            try await reading.rekey(to: Self.other).value()
        }
        await reading.closed()
        try await repository.rekey(to: Self.other).value()
        #expect(try await repository.count(Note.self).value() == 2)
        await repository.closed()
    }

    @Test("Cipher settings are applied before the key, and an unknown one is refused")
    func settings() async throws {
        let folder = try Folder()
        let key = EncryptionKey("passphrase", settings: ["cipher": "sqlcipher", "legacy": "4"])
        let repository = try await Self.fill(folder, key)
        _ = try await repository.backup(to: folder.file("copy")).last().value()
        #expect(try folder.files(in: Note.marker).isEmpty)
        #expect(await folder.refusal(EncryptionKey("passphrase"), access: .readOnly) == .wrongKey(path: folder.file()))
        #expect(await folder.refusal(key, "copy") == nil)
        for settings in [["ciphre": "sqlcipher"], ["cipher": "none"]] as [KeyValuePairs] {
            let wrong = EncryptionKey("passphrase", settings: settings)
            guard case .misuse = await folder.refusal(wrong, access: .readOnly) else {
                return #expect(Bool(false), "\(settings)")
            }
        }
        // A new key without one of the settings would still need it.
        let error = await #expect(throws: RepositoryError.self) { try await repository.rekey(to: Self.key).value() }
        guard case .misuse = error else { return #expect(Bool(false), "\(error as Any)") }
        let next = EncryptionKey("next", settings: ["cipher": "aes256cbc", "legacy": "0"])
        for key in [next, next, key] {
            try await repository.rekey(to: key).value()
            #expect(try await repository.count(Note.self).value() == Self.count)
        }
        try await repository.rekey(to: next).value()
        await repository.closed()
        #expect(await folder.refusal(key) == .wrongKey(path: folder.file()))
        #expect(await folder.refusal(EncryptionKey("next", settings: ["cipher": "aes256cbc"])) == nil)
    }

    @Test("A program that is killed while it changes the key loses nothing: the file has the old or the new key")
    func killed() async throws {
        let rounds = ProcessInfo.processInfo.environment["KILLS"].flatMap { Int($0) } ?? 3
        let folder = try Folder()
        let keys = ["correct horse battery staple", "another"]
        let repository = try await Self.fill(folder)
        let begin = ContinuousClock.now
        try await repository.rekey(to: Self.key).value()
        let longest = Int((ContinuousClock.now - begin) / .microseconds(1))
        await repository.closed()
        var (current, changes) = (0, 0)
        for round in 0..<rounds {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [
                    path = folder.file() as String, old = keys[current] as String, new = keys[1 - current] as String,
                    end = Int.random(in: 0...longest) as Int
                ] in
                let repository = try SQLiteRepository(
                    .file(path), entities: Note.self, configuration: RepositoryConfiguration(key: EncryptionKey(old)))
                let deadline = ContinuousClock.now + .microseconds(end)
                Thread.detachNewThread {
                    while ContinuousClock.now < deadline {}
                    kill(getpid(), SIGKILL)
                }
                try await repository.rekey(to: EncryptionKey(new)).value()
                kill(getpid(), SIGKILL)
            }
            if await folder.refusal(EncryptionKey(keys[current])) != nil {
                current = 1 - current
                changes += 1
            }
            let now = try folder.open(EncryptionKey(keys[current]))
            #expect(try await now.fetch(Note.all.sorted(by: \.id)).value() == (0..<Self.count).map(Note.numbered))
            #expect(try await now.check().value().isSound, "\(round)")
            await now.closed()
        }
        print("\(rounds) kills, of which \(changes) left the new key")
    }
}
