import Foundation
import Testing

@Suite("The command import", .timeLimit(.minutes(10)))
struct ImportTests {
    static let films = [
        "csv": #"""
        Title,Worldwide Gross,Release Date,Distributor,Major Genre,Director
        "First Love, Last Rites",10876,Aug 07 1998,Strand,Drama,
        1776,,Nov 09 1972,Sony/Columbia,Drama,Peter H. Hunt
        ,3080493,Nov 03 2006,IFC Films,,
        "Say ""Ah""",12.50,Dec 31 2046,,Comedy,

        """#,
        "json": #"""
        [
          {"Title": "First Love, Last Rites", "Worldwide Gross": 10876, "Release Date": "Aug 07 1998",
            "Distributor": "Strand", "Major Genre": "Drama", "Director": null},
          {"Title": 1776, "Worldwide Gross": null, "Release Date": "Nov 09 1972", "Distributor": "Sony/Columbia",
            "Major Genre": "Drama", "Director": "Peter H. Hunt"},
          {"Title": null, "Worldwide Gross": 3080493, "Release Date": "Nov 03 2006", "Distributor": "IFC Films"},
          {"Title": "Say \"Ah\"", "Worldwide Gross": 12.50, "Release Date": "Dec 31 2046", "Major Genre": "Comedy"}
        ]
        """#,
        "ndjson": #"""
        {"genre": "Drama", "title": "First Love, Last Rites", "boxOffice": 1.0876e4, "releaseDate": "1998-08-07", \#
        "studio": "Strand"}
        {"title": 1776, "boxOffice": null, "releaseDate": "1972-11-09", "studio": "Sony/Columbia", "genre": "Drama"}
        {"title": "", "boxOffice": 3080493, "releaseDate": "2006-11-03", "studio": "IFC Films"}
        {"title": "Say \"Ah\"", "boxOffice": 12.50, "releaseDate": "2046-12-31", "genre": "Comedy"}
        """#,
    ]
    static let listed = #"""
        title,releaseDate,boxOffice,studio,genre
        1776,1972-11-09,,Sony/Columbia,Drama
        "First Love, Last Rites",1998-08-07,10876,Strand,Drama
        "Say ""Ah""",2046-12-31,12.5,,Comedy

        """#

    @Test("Every format is imported once, and changes nothing the second time", arguments: ["csv", "json", "ndjson"])
    func twice(format: String) async throws {
        let program = try Program()
        defer { program.remove() }
        try program.write(try #require(Self.films[format]), to: "films.\(format)")
        let line = format == "ndjson" ? 3 : format == "csv" ? 4 : 6
        let first = try await program.run("import", "films.\(format)", "--store", "s.sqlite")
        #expect(first.errors == "")
        let counts = "imported 3, updated 0, unchanged 0, rejected 1"
        #expect(first.lines.suffix(2) == ["rejected line \(line): the title is missing", counts])
        #expect(first.status == 0)
        let again = try await program.run("import", "films.\(format)", "--store", "s.sqlite")
        #expect(again.lines.last == "imported 0, updated 0, unchanged 3, rejected 1")
        #expect(try await program.run("list", "--store", "s.sqlite", "--format", "csv").output == Self.listed)
        #expect(!first.output.utf8.contains { $0 < 0x20 && $0 != 0x0A })
    }

    @Test("Standard input is imported with --format, and changed rows are updated")
    func standardInput() async throws {
        let program = try Program()
        defer { program.remove() }
        let rows = "title,boxOffice\nHeat,1\nUp,2\n"
        let first = try await program.run("import", "-", "--format", "csv", "--store", "s.sqlite", input: rows)
        #expect(first.lines.last == "imported 2, updated 0, unchanged 0, rejected 0")
        let changed = """
            {"title":"Heat","boxOffice":3}
            {"title":"Up","boxOffice":2}
            {"title":"Heat","boxOffice":4}
            """
        let second = try await program.run("import", "-", "--format", "ndjson", "--store", "s.sqlite", input: changed)
        #expect(second.lines.last == "imported 0, updated 2, unchanged 1, rejected 0")
        let listed = try await program.run("list", "--store", "s.sqlite", "--format", "csv")
        #expect(listed.lines == ["title,releaseDate,boxOffice,studio,genre", "Heat,,4,,", "Up,,2,,"])
        let unnamed = try await program.run("import", "-", "--store", "s.sqlite")
        #expect(unnamed.status == 1)
    }

    @Test("Rejected rows are written so that they can be corrected and imported")
    func rejects() async throws {
        let program = try Program()
        defer { program.remove() }
        let bad = (1...12).map { "Film \($0),never,7\n" }.joined()
        try program.write("Title,Release Date,Worldwide Gross\nHeat,Dec 15 1995,1\n\(bad)", to: "films.csv")
        let ending = try await program.run("import", "films.csv", "--store", "s.sqlite", "--rejects", "r.ndjson")
        #expect(ending.lines.filter { $0.hasPrefix("rejected line") }.count == 10)
        #expect(ending.lines.contains("and 2 more, all are in r.ndjson"))
        #expect(ending.lines.last == "imported 1, updated 0, unchanged 0, rejected 12")
        let rejects = String(decoding: try program.bytes("r.ndjson"), as: UTF8.self)
        #expect(rejects.split(separator: "\n").count == 12)
        try program.write(rejects.replacing("never", with: "May 01 2001"), to: "mended.ndjson")
        let mended = try await program.run("import", "mended.ndjson", "--store", "s.sqlite", "--rejects", "r.ndjson")
        #expect(mended.lines.last == "imported 12, updated 0, unchanged 0, rejected 0")
        let same = try await program.run(
            "import", "mended.ndjson", "--store", "s.sqlite", "--rejects", "./mended.ndjson")
        #expect(same.errors == "Error: --rejects would overwrite mended.ndjson\n")
        #expect(same.status == 1)
    }

    @Test(
        "S-M9 Rejected rows never overwrite a store or one of its files, whichever is created first",
        arguments: ["", "-wal", "-shm", "-journal", "-lock", "-backup"])
    func rejectsOverStore(suffix: String) async throws {
        let program = try Program()
        defer { program.remove() }
        try program.write("title,boxOffice\nHeat,1\nUp,x\n", to: "films.csv")
        try FileManager.default.createDirectory(atPath: program.path("deep"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: program.path("link"), withDestinationPath: "new.sqlite" + suffix)
        try FileManager.default.createSymbolicLink(atPath: program.path("folder"), withDestinationPath: ".")
        let spellings = ["new.sqlite", "./deep/../new.sqlite", "folder/new.sqlite"].map { $0 + suffix } + ["link"]
        for name in spellings {
            let refused = try await program.run("import", "films.csv", "--store", "new.sqlite", "--rejects", name)
            #expect(refused.errors.hasPrefix("Error: --rejects would overwrite "), "\(name)")
            #expect(refused.status == 1 && !program.exists("new.sqlite"))
        }
        _ = try await program.run("import", "films.csv", "--store", "new.sqlite")
        let before = try program.bytes("new.sqlite")
        for (store, names) in [("new.sqlite", spellings), ("other.sqlite", spellings)] {
            for name in names {
                let refused = try await program.run("import", "films.csv", "--store", store, "--rejects", name)
                #expect(refused.errors.hasPrefix("Error: --rejects would overwrite "), "\(store) \(name)")
                #expect(refused.status == 1)
            }
        }
        #expect(try program.bytes("new.sqlite") == before && !program.exists("other.sqlite"))
        // Likewise, no store is created or copied to the path of another store's log.
        if !suffix.isEmpty && suffix != "-backup" {
            let copied = try await program.run("copy", "new.sqlite", "new.sqlite" + suffix)
            #expect(copied.status == 1 && copied.errors.contains("belongs to"), "\(copied)")
            let imported = try await program.run("import", "films.csv", "--store", "new.sqlite" + suffix)
            #expect(imported.status == 1 && imported.errors.contains("belongs to"), "\(imported)")
        }
        #expect(try await program.run("list", "--store", "new.sqlite", "--format", "csv").lines.count == 2)
    }

    @Test("In strict mode one rejected row prevents the import, and without one everything is one transaction")
    func strict() async throws {
        let program = try Program()
        defer { program.remove() }
        try program.write("title\nHeat\n\"\"\nUp\n", to: "films.csv")
        let refused = try await program.run(
            "import", "films.csv", "--store", "s.sqlite", "--strict", "--rejects", "r.ndjson")
        #expect(refused.status == 1)
        let counts = "imported 0, updated 0, unchanged 0, rejected 1"
        #expect(refused.lines == ["rejected line 3: the title is missing", counts])
        #expect(refused.errors.split(separator: "\n").count == 1)
        #expect(!program.exists("s.sqlite"))
        #expect(program.exists("r.ndjson"))
        try program.write("title\nHeat\nUp\nJaws\n", to: "films.csv")
        let whole = try await program.run("import", "films.csv", "--store", "s.sqlite", "--strict", "--batch", "2")
        #expect(whole.lines.last == "imported 3, updated 0, unchanged 0, rejected 0")
    }

    @Test("Ctrl-C keeps whole batches, says so, and ends with 130")
    func interrupted() async throws {
        let program = try Program()
        defer { program.remove() }
        let rows = (0..<200_000).map { "Film \($0),1\n" }.joined()
        try program.write("title,boxOffice\n" + rows, to: "films.csv")
        let running = try program.follow(
            shell: "exec \"$P\" import films.csv --store s.sqlite --batch 500", interruptAtOnce: true)
        var last = ""
        for await line in running.lines { last = line }
        #expect(await running.status() == 130)
        let counts = try await program.run("stats", "--store", "s.sqlite", "--format", "json")
        let stored = try #require(counts.output.firstMatch(of: /"count": (\d+)/).flatMap { Int($0.1) })
        #expect(stored >= 500 && stored < 200_000 && stored % 500 == 0)
        #expect(last == "imported \(stored), updated 0, unchanged 0, rejected 0")
    }
}
