import Foundation
import SignalRepository
import Testing

@testable import PlaygroundKit

/// Every sentence of every `--help`, with the test that tries it.
///
/// A new or changed sentence must be tested before it is added to the list.
@Suite("The help is true", .timeLimit(.minutes(10)))
struct HelpTests {
    private static let tried: [String: [String: String]] = [
        "playground": [
            "Films in a SignalRepository: import them, follow them live, sum them up": "the suites of the commands",
            "Without a command it gives the tour": "ReadingTests.noCommand",
            "A command ends with status 0 when all is well, 1 when its data or its store are not, 64 when it was "
                + "called wrongly, and 130 when Ctrl-C ended it":
                "BadInputTests.usage, ReadingTests.watch, ImportTests.interrupted",
        ],
        "tour": [
            "Show the whole idea on a store in memory (runs when no command is given)": "ReadingTests.tour",
            "How many films to make up": "ReadingTests.tour; hidden",
        ],
        "import": [
            "Import films from a CSV, JSON or NDJSON file": "ImportTests.twice",
            "A film is identified by its title and release date: the same row again changes nothing":
                "ImportTests.twice, knownByTitleAndDate",
            "The input is read through before the store is touched, so a malformed file leaves the store as it was":
                "BadInputTests.malformed, lateFault",
            "Memory does not grow with the file: a row may have 1 MiB (in JSON: one element of the array) and is held "
                + "with its batch, which ends early at 4 MiB; standard input is kept in a temporary file":
                "JSONRecordReaderTests.bound, CSVRecordReaderTests.largeRow, RowBatchTests.bytes, temporaryFile",
            "Ctrl-C keeps the batches before it": "ImportTests.interrupted",
            "The file to import; - is standard input": "ImportTests.standardInput",
            "The store that holds the films: an SQLite file, or a PostgreSQL server as postgresql://host/name or "
                + "\"host=… dbname=…\"":
                "ImportTests, ServerTests.commands",
            "The input's format: csv, json (an array) or ndjson; by default, its extension decides": "formats",
            "Import nothing when one row is rejected": "ImportTests.strict",
            "Write the rejected rows to this file, as NDJSON": "ImportTests.rejects",
            "How many rows to import in one transaction; with --strict all are one": "transactions",
        ],
        "stats": [
            "Sum up the box office of all films, or by studio, genre or year": "ReadingTests.stats",
            "The store that holds the films: an SQLite file, or a PostgreSQL server as postgresql://host/name or "
                + "\"host=… dbname=…\"":
                "ReadingTests.stats, ServerTests.commands",
            "Group by studio, genre or year; the largest sum comes first": "ReadingTests.stats",
            "Print a table, of 80 columns (or COLUMNS) where there is no terminal, or json": "ReadingTests.width",
        ],
        "list": [
            "List films": "ReadingTests.list",
            "The store that holds the films: an SQLite file, or a PostgreSQL server as postgresql://host/name or "
                + "\"host=… dbname=…\"":
                "ReadingTests.list, ServerTests.commands",
            "Only the films of this studio": "ReadingTests.list",
            "Only the films of this genre": "ReadingTests.list",
            "Only films with this text in their title": "ReadingTests.list",
            "Sort by title, releaseDate or boxOffice": "order",
            "Largest or latest first; titles from Z to A": "order",
            "List at most this many films": "ReadingTests.list",
            "Print a table, json or csv; the output of json and csv can be imported again": "importedAgain",
        ],
        "watch": [
            "Print the count and the sum of the films now and whenever they change, until Ctrl-C":
                "ReadingTests.watch",
            "It sees the changes of other programs, too": "ReadingTests.watch",
            "Changes in quick succession are one line": "quickSuccession",
            "It waits for a file that does not exist yet": "ReadingTests.watchMissing",
            "The store that holds the films: an SQLite file, or a PostgreSQL server as postgresql://host/name or "
                + "\"host=… dbname=…\"":
                "ReadingTests.watch, ServerTests.watch",
            "Only the films of this studio": "ReadingTests.watch",
            "Print text or json, a line each time": "ReadingTests.watch",
            "With each line, print how often the result was updated in place, refilled and re-read": "watchStatistics",
        ],
        "copy": [
            "Copy all films from one store into another, and compare both row by row":
                "CopyTests.bothWays, StoreCopyTests",
            "Either store is a file or on a server": "CopyTests.bothWays",
            "A missing target is created; one that holds films is refused": "CopyTests.bothWays, filled",
            "Memory does not grow with the store": "by hand: 46 MB at 1,000,000 films as at 100,000",
            "A terminal on standard error shows the progress": "CopyTests.terminal",
            "Ctrl-C or a failure leaves the whole batches before it in the target, and says how many films they hold":
                "CopyTests.interrupted, failing",
            "It ends with status 1 when the stores are not equal afterwards": "StoreCopyTests.differences",
            "The store to copy from": "CopyTests",
            "The store to copy to": "CopyTests",
            "How many films to copy in one transaction": "CopyTests.failing",
        ],
        "doctor": [
            "Describe a file: what it holds, how large it is, and whether it is sound": "DoctorTests.sound",
            "Any store of the library will do, whatever it holds": "DoctorTests.sound",
            "The file is only read, and may be in use": "DoctorTests.sound",
            "It ends with status 1 when something is wrong, and says what": "DoctorTests.faults",
            "The file": "DoctorTests.sound",
        ],
    ]

    /// The help of `serve`, a command that needs the trait `Serve`.
    #if Serve
        private static let triedOfServe = [
            "Show the films on a page in a browser, which changes when a row does, until Ctrl-C":
                "ServeCommandTests.file, BrowserTests.imported",
            "The page imports, searches, edits and deletes, and shows what the live queries cost":
                "BrowserTests.imported, search, keyboard; PageStreamTests.snapshot, statements",
            "A missing file is created, and no other program can write to it while it is open; servers on one "
                + "PostgreSQL store show each other's edits":
                "ServeCommandTests.defaults, failures, twoServers",
            "The store that holds the films, an SQLite file or a PostgreSQL server": "ServeCommandTests",
            "The port to listen on; 0 is any that is free": "ServeCommandTests.file, failures",
            "The address to listen on": "ServeCommandTests.failures",
            "There is no sign-in: with an address that other machines reach, their users may edit the films":
                "PageRefusalTests.everywhere",
        ]
    #else
        private static let triedOfServe = [
            "Available in a program that was built with the trait Serve": "by hand; hidden"
        ]
    #endif

    @Test("Every sentence of it is tested")
    func sentences() async throws {
        let program = try Program()
        defer { program.remove() }
        let dump = try await program.run("--experimental-dump-help").output
        let root = try #require(
            (JSONSerialization.jsonObject(with: Data(dump.utf8)) as? [String: Any])?["command"] as? [String: Any])
        let commands =
            [root] + (root["subcommands"] as? [[String: Any]] ?? []).filter { $0["commandName"] as? String != "help" }
        let tried = Self.tried.merging(["serve": Self.triedOfServe]) { first, _ in first }
        #expect(Set(commands.compactMap { $0["commandName"] as? String }) == Set(tried.keys))
        for command in commands {
            let name = try #require(command["commandName"] as? String)
            let arguments = command["arguments"] as? [[String: Any]] ?? []
            for value in arguments.compactMap({ $0["defaultValue"] as? String }) {
                #expect(!value.contains("("), "\(value) is Swift's description of a default.")
            }
            let texts = [command["abstract"], command["discussion"]] + arguments.map { $0["abstract"] }
            let found = Set(texts.compactMap { $0 as? String }.flatMap(sentences))
                .subtracting(["Show help information"])
            let known = Set(try #require(tried[name]).keys)
            #expect(found.subtracting(known) == [], "Test these sentences of \(name) and add them to the list.")
            #expect(known.subtracting(found) == [], "The help of \(name) no longer says this.")
        }
    }

    private func sentences(of text: String) -> [String] {
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let ended = words.hasSuffix(".") ? String(words.dropLast()) : words
        return ended.components(separatedBy: ". ")
    }

    @Test("A film is known by its title and release date")
    func knownByTitleAndDate() async throws {
        let program = try Program()
        defer { program.remove() }
        let rows = """
            title,releaseDate,boxOffice
            Heat,1995-12-15,1
            Heat,1986-11-13,2
            Heat,,3

            """
        try program.write(rows, to: "films.csv")
        let first = try await program.run("import", "films.csv", "--store", "s.sqlite")
        #expect(first.lines.last == "imported 3, updated 0, unchanged 0, rejected 0")
        try program.write(rows.replacing(",2\n", with: ",5\n"), to: "films.csv")
        let second = try await program.run("import", "films.csv", "--store", "s.sqlite")
        #expect(second.lines.last == "imported 0, updated 1, unchanged 2, rejected 0")
    }

    @Test("The extension names the format, in upper or lower case, unless --format does")
    func formats() async throws {
        let program = try Program()
        defer { program.remove() }
        for (name, text) in [
            ("a.csv", "title\nA\n"), ("b.CSV", "title\nB\n"), ("c.json", "[{\"title\":\"C\"}]"),
            ("d.ndjson", "{\"title\":\"D\"}"), ("e.jsonl", "{\"title\":\"E\"}"),
        ] {
            try program.write(text, to: name)
            #expect(try await program.run("import", name, "--store", "s.sqlite").status == 0, "\(name)")
        }
        try program.write("{\"title\":\"F\"}", to: "f.csv")
        #expect(try await program.run("import", "f.csv", "--format", "ndjson", "--store", "s.sqlite").status == 0)
        let listed = try await program.run("list", "--store", "s.sqlite", "--format", "csv")
        #expect(listed.lines.dropFirst().map { $0.prefix(2) } == ["A,", "B,", "C,", "D,", "E,", "F,"])
    }

    @Test("Standard input is kept in a temporary file")
    func temporaryFile() async throws {
        let program = try Program()
        defer { program.remove() }
        try program.write("title\nHeat\n", to: "films.csv")
        let nowhere = "TMPDIR=\"$PWD/none\" \"$P\" import - --format csv --store s.sqlite < films.csv"
        let refused = try await program.shell(nowhere)
        #expect(refused.status == 1 && refused.errors.hasPrefix("Error: no temporary file can be made in "))
        #expect(!program.exists("s.sqlite"))
        let kept = "mkdir tmp && TMPDIR=\"$PWD/tmp\" \"$P\" import - --format csv --store s.sqlite < films.csv; ls tmp"
        #expect(try await program.shell(kept).lines.last == "imported 1, updated 0, unchanged 0, rejected 0")
    }

    @Test("A batch is a transaction; in strict mode all of them are one")
    func transactions() async throws {
        for (arguments, kept) in [("--batch 2", 4), ("--batch 2 --strict", 0), ("", 0)] {
            let program = try Program()
            defer { program.remove() }
            let store = try SQLiteRepository(.file(program.path("s.sqlite")), entities: Film.self)
            // Another program may add a trigger to a store: this one rejects the fifth film.
            try await store.transaction { store in
                try store.execute(
                    """
                    CREATE TRIGGER refusal BEFORE INSERT ON Film WHEN NEW.title = 'Film 5'
                    BEGIN SELECT RAISE(ABORT, 'not this one'); END
                    """)
            }
            .value()
            await store.close().value()
            try program.write("title\n" + (1...7).map { "Film \($0)\n" }.joined(), to: "films.csv")
            let ending = try await program.shell("\"$P\" import films.csv --store s.sqlite \(arguments)")
            #expect(ending.status == 1, "\(arguments)")
            let counts = try await program.run("stats", "--store", "s.sqlite", "--format", "json")
            #expect(counts.output.hasPrefix("{\"count\": \(kept),"), "\(arguments): \(counts.output) \(ending.errors)")
        }
    }

    @Test("Films are listed by title, date or amount, in reverse with --descending")
    func order() async throws {
        let program = try Program()
        defer { program.remove() }
        let rows = "title,releaseDate,boxOffice\nB,1990-01-01,30\nA,2000-01-01,20\nC,1980-01-01,100\n"
        _ = try await program.run("import", "-", "--format", "csv", "--store", "s.sqlite", input: rows)
        for (key, titles) in [("title", "ABC"), ("releaseDate", "CBA"), ("boxOffice", "ABC")] {
            for isDescending in [false, true] {
                let line = "\"$P\" list --store s.sqlite --format csv --sort \(key)"
                let ending = try await program.shell(line + (isDescending ? " --descending" : ""))
                let found = String(ending.lines.dropFirst().compactMap(\.first))
                let wanted = key == "boxOffice" ? "ABC".sorted { amount($0) < amount($1) } : Array(titles)
                #expect(found == String(isDescending ? wanted.reversed() : wanted), "\(key) \(isDescending)")
            }
        }
    }

    private func amount(_ title: Character) -> Int { ["A": 20, "B": 30, "C": 100][title] ?? 0 }

    @Test("The output of json and csv can be imported again, whatever it contains", arguments: ["json", "csv"])
    func importedAgain(format: String) async throws {
        let program = try Program()
        defer { program.remove() }
        let films = #"""
            {"title":"Quote \"x\", a\nnewline","boxOffice":0.0001,"releaseDate":"1999-12-31","studio":"","genre":" a"}
            {"title":"=1+1","boxOffice":-5,"studio":"a\rb","genre":"tab\there"}
            {"title":"\u0301accent","boxOffice":99999999999999.9999,"studio":null}
            {"title":"  spaces  ","studio":"  s  "}
            {"title":"null","studio":"null","genre":"\"\""}
            {"title":"Early","releaseDate":"0001-01-01"}
            {"title":"Late \u001b[2J","releaseDate":"9999-12-31"}
            """#
        try program.write(films, to: "films.ndjson")
        let first = try await program.run("import", "films.ndjson", "--store", "s.sqlite")
        #expect(first.lines.last == "imported 7, updated 0, unchanged 0, rejected 0")
        let ending = try await program.shell(
            """
            "$P" list --store s.sqlite --format \(format) > again.\(format)
            "$P" import again.\(format) --store s.sqlite | tail -n 1
            "$P" import again.\(format) --store t.sqlite | tail -n 1
            "$P" list --store t.sqlite --format \(format) | cmp - again.\(format) && echo the same
            """)
        #expect(
            ending.lines == [
                "imported 0, updated 0, unchanged 7, rejected 0", "imported 7, updated 0, unchanged 0, rejected 0",
                "the same",
            ])
    }

    @Test("A watcher prints the last of several quick changes, and nothing for one that changes neither figure")
    func quickSuccession() async throws {
        let program = try Program()
        defer { program.remove() }
        _ = try await program.run("import", "-", "--format", "csv", "--store", "s.sqlite", input: "title\nHeat\n")
        let watcher = try program.follow("watch", "--store", "s.sqlite")
        var lines: [String] = []
        for await line in watcher.lines {
            lines.append(line)
            if lines.count == 1 {
                let studio = "title,studio\nHeat,Zed\n"
                _ = try await program.run("import", "-", "--format", "csv", "--store", "s.sqlite", input: studio)
                let many = "title\n" + (1...100).map { "Film \($0)\n" }.joined()
                _ = try await program.run(
                    "import", "-", "--format", "csv", "--store", "s.sqlite", "--batch", "1", input: many)
            }
            if line.hasPrefix("101 films") { watcher.interrupt() }
        }
        #expect(await watcher.status() == 130)
        #expect(lines.first == "1 film, sum 0" && lines.last == "101 films, sum 0")
        #expect(lines.count < 60 && Set(lines).count == lines.count, "\(lines)")
    }
}
