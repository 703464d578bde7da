import Foundation
import SignalRepository
import Testing

@Suite("Bad input is reported in one sentence, and the store stays as it was", .timeLimit(.minutes(10)))
struct BadInputTests {
    @Test(
        "A malformed file imports nothing, even if the error is on its last line",
        arguments: [
            ("films.json", "[{\"title\":\"New\"},\n{\"title\":\"Newer\"", "the input ends inside a row"),
            ("films.json", "[{\"title\":\"New\"},\n{\"title\":\"Newer\"}", "the input ends inside the array"),
            ("films.json", "[{\"title\":\"New\"}]\n]", "line 2, column 1: ']' stands after the array's end"),
            ("films.json", "{\"title\":\"New\"}", "'{' stands where the array's [ is expected"),
            ("films.ndjson", "{\"title\":\"New\"}\n{\"title\":}\n", "malformed JSON at line 2, column 10"),
            ("films.csv", "title\nNew\n\"Newer\n", "line 3: a quote is opened and never closed"),
            ("films.csv", "New\nNewer\n", "line 1: no column is named Title or title"),
            ("films.csv", "", "the input is empty"), ("films.json", "", "the input is empty"),
            ("films.ndjson", "\n\n", "the input is empty"),
            ("films.txt", "title\n", "the format of films.txt is not known"),
        ])
    func malformed(name: String, text: String, reason: String) async throws {
        let program = try Program()
        defer { program.remove() }
        try program.write(text, to: name)
        let fresh = try await program.run("import", name, "--store", "s.sqlite", "--batch", "1")
        expectSentence(fresh, reason)
        #expect(!program.exists("s.sqlite"))

        let seed = "title\nHeat\n"
        #expect(try await program.run("import", "-", "--format", "csv", "--store", "s.sqlite", input: seed).status == 0)
        let before = try program.bytes("s.sqlite")
        let piped = try await program.run(
            "import", "-", "--format", (name as NSString).pathExtension.replacing("txt", with: "json"), "--store",
            "s.sqlite", "--batch", "1", input: text)
        #expect(piped.status == 1)
        expectSentence(try await program.run("import", name, "--store", "s.sqlite", "--batch", "1"), reason)
        #expect(try program.bytes("s.sqlite") == before)
    }

    @Test("A film that CSV cannot hold is listed only as JSON")
    func unlistable() async throws {
        let program = try Program()
        defer { program.remove() }
        let film = #"[{"title":"a\u0000b"}]"#
        let imported = try await program.run("import", "-", "--format", "json", "--store", "s.sqlite", input: film)
        #expect(imported.status == 0)
        expectSentence(
            try await program.run("list", "--store", "s.sqlite", "--format", "csv"), "a film holds byte 0x00")
        let listed = try await program.run("list", "--store", "s.sqlite", "--format", "json")
        #expect(listed.status == 0 && listed.lines.joined().contains(#"a\u0000b"#))
    }

    @Test(
        "An error after thousands of good rows imports nothing", arguments: ["csv", "json", "ndjson"],
        ["not UTF-8", "NUL", "too long"])
    func lateFault(format: String, fault: String) async throws {
        let program = try Program()
        defer { program.remove() }
        let bad: [UInt8] =
            switch fault {
            case "not UTF-8": [0xE9]
            case "NUL": [0]
            default: Array(repeating: UInt8(ascii: "x"), count: 1 << 20)
            }
        let (open, before, after, between, close) =
            switch format {
            case "csv": ("title\n", "", "\n", "", "")
            case "json": ("[", "{\"title\":\"", "\"}", ",", "]")
            default: ("", "{\"title\":\"", "\"}\n", "", "")
            }
        let good = (1...3_000).map { before + "Film \($0)" + after + between }.joined()
        let bytes = Array((open + good + before + "New ").utf8) + bad + Array((after + close).utf8)
        try program.write(bytes, to: "films.\(format)")
        try program.write("title\nHeat\n", to: "seed.csv")
        for arguments in [[], ["--strict"], ["--batch", "1"]] {
            let line = "\"$P\" import films.\(format) --store s.sqlite " + arguments.joined(separator: " ")
            expectSentence(try await program.shell(line), "films.\(format): ")
            #expect(!program.exists("s.sqlite"))
        }
        #expect(try await program.run("import", "seed.csv", "--store", "s.sqlite").status == 0)
        let stored = try program.bytes("s.sqlite")
        let piped = "\"$P\" import - --format \(format) --store s.sqlite < films.\(format)"
        expectSentence(try await program.shell(piped), "standard input: ")
        #expect(try program.bytes("s.sqlite") == stored)
    }

    @Test("An input that is not a file of films is refused before the store is created")
    func noFile() async throws {
        let program = try Program()
        defer { program.remove() }
        expectSentence(
            try await program.run("import", "none.csv", "--store", "s.sqlite"),
            "none.csv cannot be read: No such file or directory")
        expectSentence(
            try await program.run("import", ".", "--format", "csv", "--store", "s.sqlite"), ". is a directory")
        expectSentence(
            try await program.run("import", "/dev/zero", "--format", "json", "--store", "s.sqlite"), "byte 0x00")
        #expect(!program.exists("s.sqlite"))
    }

    @Test(
        "A file that is not a store is refused and left as it is",
        arguments: ["text", "folder", "foreign", "namesake", "no-folder"])
    func badStore(kind: String) async throws {
        let program = try Program()
        defer { program.remove() }
        try program.write("title\nHeat\n", to: "films.csv")
        var store = "store"
        switch kind {
        case "text": try program.write(String(repeating: "This is no database. ", count: 100), to: store)
        case "folder":
            let path = program.path(store)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        case "foreign", "namesake":
            try await makeStore(program.path(store), isNamesake: kind == "namesake")
        default: store = "none/store"
        }
        let before = try? program.bytes(store)
        for arguments in [["import", "films.csv"], ["stats"], ["list"], ["watch"]] {
            let quoted = arguments.map { "'\($0)'" }.joined(separator: " ")
            let ending = try await program.shell("\"$P\" \(quoted) --store \(store)")
            expectSentence(ending, kind == "namesake" || kind == "foreign" ? "was left as it is" : store)
        }
        #expect((try? program.bytes(store)) == before)
        #expect(kind != "no-folder" || !program.exists("none"))
    }

    @Test("Reading a missing store does not create it", arguments: ["stats", "list"])
    func missingStore(command: String) async throws {
        let program = try Program()
        defer { program.remove() }
        expectSentence(try await program.run(command, "--store", "s.sqlite"), "s.sqlite")
        #expect(!program.exists("s.sqlite"))
    }

    @Test("Wrong arguments end with 64")
    func usage() async throws {
        let program = try Program()
        defer { program.remove() }
        for line in [
            "import", "import f.csv", "import f.csv --store s --batch 0", "list --store s --limit -1",
            "list --store s --format xml", "stats --store s --by title", "nonsense", "import f --store s --format xml",
        ] {
            #expect(try await program.shell("\"$P\" \(line)").status == 64, "\(line)")
        }
        #expect(try await program.run("--help").status == 0)
        let unknown = try await program.run("frobnicate")
        #expect(unknown.errors.contains("Usage: playground <subcommand>"), "\(unknown.errors)")
        #expect(!unknown.errors.contains("tour"), "\(unknown.errors)")
        let browse = try await program.run("browse", "--help")
        #expect(try await browse.output == program.run("--help").output)
    }

    private func expectSentence(_ ending: Program.Ending, _ reason: String) {
        #expect(ending.status == 1)
        #expect(ending.errors.hasPrefix("Error: ") && ending.errors.contains(reason), "\(ending.errors)")
        #expect(ending.errors.filter { $0 == "\n" }.count == 1, "\(ending.errors)")
    }

    private func makeStore(_ path: String, isNamesake: Bool) async throws {
        let repository = try SQLiteRepository(.file(path), entities: OtherFilm.self)
        await repository.close().value()
        guard !isNamesake else { return }
        // The file's header names the application that it belongs to.
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes.replaceSubrange(68..<72, with: [0, 0, 0, 77])
        try bytes.write(to: URL(fileURLWithPath: path))
    }
}

/// A film as another program declares it.
private struct OtherFilm: Entity {
    let id: Int
    let length: Double
    static let entityName = "Film"
    static let schema = Schema(Column("id", \OtherFilm.id), Column("length", \.length), make: OtherFilm.init)
}
