import Foundation
import SignalRepository
import Testing

/// Every query of `Documentation/Storage.md` returns the row beside it.
@Suite("The content of a file") struct StorageDocumentTests {
    /// Each query of the blocks marked `sql`, with the row that its comment shows.
    private static func examples() throws -> [(query: String, row: String)] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let path = folder.appendingPathComponent("../../../Documentation/Storage.md")
        let blocks = try String(contentsOf: path, encoding: .utf8).components(separatedBy: "```sql\n").dropFirst()
        return try blocks.flatMap { block in
            let lines = try #require(block.components(separatedBy: "```").first).split(separator: "\n")
            return try lines.map { line in
                let parts = line.components(separatedBy: "; -- ")
                try #require(parts.count == 2, "\(line)")
                return (parts[0], parts[1])
            }
        }
    }

    @Test func eachQueryAnswersWhatTheDocumentSays() async throws {
        let examples = try Self.examples()
        #expect(examples.count >= 12)
        try await withFolder { folder in
            let repository = try SQLiteRepository(.file(folder + "/store.sqlite"), entities: StoredFilm.self)
            try await repository.create(StoredFilm.fargo).value()
            let raw = try RawDatabase(folder + "/store.sqlite")
            for (query, row) in examples {
                let rows = try raw.rows(query)
                #expect(rows == [row], "\(query)")
            }
            raw.close()
            await closed(repository)
            #expect(FileManager.default.fileExists(atPath: folder + "/store.sqlite-lock"))
        }
    }
}
