import Foundation
import SQLite3MultipleCiphers
import SignalRepository
import Synchronization

/// A folder of one test, which is removed with the object.
final class Folder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/Encryption-\(UUID())"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a file in the folder, which need not exist.
    func file(_ name: String = "notes.sqlite") -> String { "\(path)/\(name)" }

    func contents() throws -> [String: Data] {
        let names = try files()
        return Dictionary(
            uniqueKeysWithValues: names.map { ($0, FileManager.default.contents(atPath: file($0)) ?? Data()) })
    }

    /// All files, or those in which some text is readable.
    func files(in text: String? = nil) throws -> Set<String> {
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        guard let text else { return Set(names) }
        return Set(
            names.filter { FileManager.default.contents(atPath: file($0))?.range(of: Data(text.utf8)) != nil })
    }

    func open(
        _ key: EncryptionKey?, _ name: String = "notes.sqlite", access: StoreAccess = .readWrite,
        configuration: RepositoryConfiguration = RepositoryConfiguration()
    ) throws(RepositoryError) -> SQLiteRepository {
        var configuration = configuration
        (configuration.access, configuration.key) = (access, key)
        return try SQLiteRepository(.file(file(name)), entities: Note.self, configuration: configuration)
    }

    /// Makes a file without the library.
    func make(_ name: String, _ passphrase: String, _ sql: String) throws {
        var handle: OpaquePointer?
        defer { sqlite3_close(handle) }
        guard sqlite3_open(file(name), &handle) == 0,
            sqlite3_key(handle, passphrase, Int32(passphrase.utf8.count)) == 0,
            sqlite3_exec(handle, sql, nil, nil, nil) == 0
        else { throw CocoaError(.fileWriteUnknown) }
    }

    /// The error of opening a store; `nil` if it opens.
    func refusal(
        _ key: EncryptionKey?, _ name: String = "notes.sqlite", access: StoreAccess = .readWrite
    ) async -> RepositoryError? {
        do throws(RepositoryError) {
            try await open(key, name, access: access).closed()
            return nil
        } catch {
            return error
        }
    }
}

extension Repository {
    func closed() async { for await _ in close().values {} }
}

/// Texts that are collected on any thread.
final class Texts: Sendable {
    private let texts = Mutex<[String]>([])

    var all: [String] { texts.withLock { $0 } }

    func add(_ text: String) { texts.withLock { $0.append(text) } }
}
