import SignalRepository
import Signals
import Testing

/// Keys with the system's SQLite; `Playground/Encryption` tests them with an SQLite that encrypts.
@Suite("A key for a file") struct EncryptionKeyTests {
    @Test("An SQLite that cannot encrypt names the missing trait, and leaves nothing behind")
    func refused() async throws {
        let folder = try TemporaryFolder()
        let key = EncryptionKey("secret")
        for open in [
            {
                try SQLiteRepository(
                    .file(folder.file()), entities: Film.self, configuration: RepositoryConfiguration(key: key))
            },
            {
                try SQLiteRepository(
                    .file(folder.file()), entities: Film.self,
                    configuration: RepositoryConfiguration(access: .readOnly, key: key))
            },
            {
                try SQLiteRepository(
                    adopting: folder.file(), entities: Film.self, configuration: RepositoryConfiguration(key: key))
            },
            { try SQLiteRepository(.inMemory, entities: Film.self, configuration: RepositoryConfiguration(key: key)) },
        ] as [() throws -> SQLiteRepository] {
            let error = #expect(throws: RepositoryError.self) { try open() }
            #expect("\(error as Any)".contains("with the trait OwnSQLite"))
        }
        #expect(try folder.contents().isEmpty)
    }

    @Test("A store keeps working after a new key is refused")
    func goesOn() async throws {
        let folder = try TemporaryFolder()
        let repository = try SQLiteRepository(.file(folder.file()), entities: Film.self)
        try await repository.create(Film.numbered(1)).value()
        let error = await #expect(throws: RepositoryError.self) {
            try await repository.rekey(to: EncryptionKey("secret")).value()
        }
        #expect("\(error as Any)".contains("with the trait OwnSQLite"))
        #expect(try await repository.count(Film.self).value() == 1)
        await closed(repository)
        let memory = try SQLiteRepository(.inMemory, entities: Film.self)
        await #expect(throws: RepositoryError.self) { try await memory.rekey(to: nil).value() }
        await closed(memory)
    }

    @Test("Printing a key does not reveal it")
    func hidden() {
        let key = EncryptionKey("secret", settings: ["cipher": "sqlcipher"])
        var dumped = ""
        dump(key, to: &dumped)
        for text in ["\(key)", String(reflecting: key), "\([key])", dumped] {
            #expect(text.contains("EncryptionKey") && !text.contains("secret") && !text.contains("115"))
        }
    }
}
