import Foundation
import SignalRepository
import Testing

/// A test's own folder, which is removed with the object.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("SignalRepository-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The path without symbolic links, as the library reports it.
        let real = try #require(realpath(folder.path, nil))
        defer { free(real) }
        path = String(cString: real)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a file in the folder, which need not exist.
    func file(_ name: String = "store.sqlite") -> String { "\(path)/\(name)" }

    /// Makes a database in a new file of the folder as another program would, and returns its path.
    func database(_ script: String) throws -> String {
        let path = file("\(UUID().uuidString).db")
        let database = try RawDatabase(path)
        try database.run(script)
        database.close()
        return path
    }

    /// Makes such a file, and adopts it.
    func adopt(_ script: String, _ entities: any Entity.Type...) throws -> SQLiteRepository {
        try SQLiteRepository(adopting: database(script), entities: entities)
    }

    /// The names of everything in the folder, and their bytes.
    func contents() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        var contents: [String: Data] = [:]
        for name in names { contents[name] = FileManager.default.contents(atPath: file(name)) ?? Data() }
        return contents
    }

    /// The permissions of a file.
    func permissions(_ name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: file(name))
        return try #require((attributes[.posixPermissions] as? NSNumber)?.intValue)
    }
}
