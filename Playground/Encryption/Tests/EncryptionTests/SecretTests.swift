import Foundation
import SignalRepository
import Testing

struct Secret: Entity, Equatable {
    let id: Int
    var text: String
    static let schema = Schema(Column("id", \Secret.id), Column("text", \.text), make: Secret.init)
}

@Suite struct SecretTests {
    @Test func aFileIsReadWithItsKeyAlone() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "secrets.sqlite").path
        let code = Secret(id: 1, text: "the code is 4711")
        func open(with passphrase: String) throws -> SQLiteRepository {
            let configuration = RepositoryConfiguration(key: EncryptionKey(passphrase))
            return try SQLiteRepository(.file(file), entities: Secret.self, configuration: configuration)
        }
        var repository = try open(with: "a passphrase")
        try await repository.create(code).value()
        try await repository.rekey(to: EncryptionKey("another")).value()
        for await _ in repository.close().values {}

        #expect(try Data(contentsOf: URL(filePath: file)).range(of: Data("4711".utf8)) == nil)
        #expect(throws: RepositoryError.wrongKey(path: file)) { try open(with: "a passphrase") }
        #expect(throws: RepositoryError.notADatabase(path: file)) {
            try SQLiteRepository(.file(file), entities: Secret.self)
        }
        repository = try open(with: "another")
        #expect(try await repository.fetch(Secret.all).value() == [code])
    }
}
