import Foundation
import SignalRepository
import Testing

@Suite("The command doctor", .timeLimit(.minutes(10)))
struct DoctorTests {
    @Test("It says what a file holds and that it is sound, even while it is in use, and leaves it as it was")
    func sound() async throws {
        let program = try Program()
        defer { program.remove() }
        _ = try await program.run("import", "-", "--format", "csv", "--store", "a.sqlite", input: "title\nUp\nHeat\n")
        let before = try Data(contentsOf: URL(fileURLWithPath: program.path("a.sqlite")))
        for _ in 0..<2 {
            let ending = try await program.run("doctor", "a.sqlite")
            #expect(ending.status == 0 && ending.errors == "")
            #expect(
                ending.output.hasPrefix("It holds Film, and 0 full-text indexes.\nA page has "))
            #expect(ending.output.hasSuffix("It is sound: its pages, indexes, references and full-text indexes.\n"))
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: program.path("a.sqlite"))) == before)
        let open = try SQLiteRepository(.file(program.path("b.sqlite")), entities: Shelf.self)
        try await open.create(Shelf(id: "a", title: "b")).value()
        let used = try await program.run("doctor", "b.sqlite")
        #expect(used.status == 0 && used.output.hasPrefix("It holds Shelf, and 1 full-text index.\n"))
        #expect(used.output.contains("it is open, or was not closed"))
        await open.close().value()
    }

    @Test("A file that is damaged, missing or not a store is reported in one sentence")
    func faults() async throws {
        let program = try Program()
        defer { program.remove() }
        let rows = "title,studio\n" + (0..<2_000).map { "Film \($0),Studio \($0)\n" }.joined()
        _ = try await program.run("import", "-", "--format", "csv", "--store", "a.sqlite", input: rows)
        let handle = try #require(FileHandle(forUpdatingAtPath: program.path("a.sqlite")))
        try handle.seek(toOffset: 4096 * 20)
        try handle.write(contentsOf: Data(repeating: 255, count: 4096 * 10))
        try handle.close()
        try "text".write(toFile: program.path("text"), atomically: true, encoding: .utf8)
        for (file, word) in [("a.sqlite", "image is malformed"), ("none.sqlite", "none.sqlite"), ("text", "text")] {
            let ending = try await program.run("doctor", file)
            #expect(ending.status == 1 && ending.errors.hasPrefix("Error: ") && ending.errors.contains(word))
            #expect(ending.errors.split(separator: "\n").count == 1, "\(ending.errors)")
        }
        for line in ["doctor", "doctor postgresql:///x", "doctor a b"] {
            #expect(try await program.shell("\"$P\" \(line)").status == 64, "\(line)")
        }
    }
}

private struct Shelf: Entity {
    let id: String
    var title: String

    static let schema = Schema(
        Column("id", \Shelf.id), Column("title", \.title), search: [\.title], make: Shelf.init)
}
