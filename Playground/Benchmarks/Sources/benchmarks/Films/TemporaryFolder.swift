import Foundation

/// A folder for one run, which is removed with its contents.
enum TemporaryFolder {
    /// Runs `body` with the path of a file that does not exist yet.
    static func withFile<Result>(_ body: (String) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder.appendingPathComponent("films.sqlite").path)
    }
}
