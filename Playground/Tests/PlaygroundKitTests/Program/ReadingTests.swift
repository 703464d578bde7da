import Foundation
import Testing

@Suite("The commands tour, stats, list and watch", .timeLimit(.minutes(10)))
struct ReadingTests {
    private static let films = """
        title,releaseDate,boxOffice,studio,genre
        Alien,1979-05-25,104931801,20th Century Fox,Horror
        Heat,1995-12-15,187436818,Warner Bros.,Action
        Jaws,1975-06-20,470653000,Universal,Horror
        Tron,,,Walt Disney Pictures,
        Up,2009-05-29,731342744.25,Walt Disney Pictures,Adventure
        七人の侍,1954-04-26,,,Action

        """

    @Test("Statistics are exact, overall and by group, largest sum first")
    func stats() async throws {
        let program = try await seeded()
        defer { program.remove() }
        let all = try await program.run("stats", "--store", "s.sqlite", "--format", "json")
        #expect(
            all.output == """
                {"count": 6, "sum": 1494364363.25, "average": 373591090.8125, "min": 104931801, "max": 731342744.25}

                """)
        let table = try await program.shell("COLUMNS=100 \"$P\" stats --store s.sqlite --by studio")
        #expect(
            table.lines.map { $0.prefix(29).trimmingCharacters(in: .whitespaces) } == [
                "studio                count", "--------------------  -----", "Walt Disney Pictures      2",
                "Universal                 1",
                "Warner Bros.              1", "20th Century Fox          1", "1",
            ])
        let years = try await program.run("stats", "--store", "s.sqlite", "--by", "year", "--format", "json")
        #expect(years.lines.count == 8)
        #expect(years.lines[1].hasPrefix("  {\"year\": 2009, \"count\": 1, \"sum\": 731342744.25,"))
        let genres = try await program.run("stats", "--store", "s.sqlite", "--by", "genre", "--format", "json")
        #expect(
            genres.lines.last { $0 != "]" }
                == "  {\"genre\": null, \"count\": 1, \"sum\": 0, \"average\": null, \"min\": null, \"max\": null}")
    }

    @Test("Lists are filtered, sorted, limited, and printed as a table, JSON or CSV")
    func list() async throws {
        let program = try await seeded()
        defer { program.remove() }
        let csv = try await program.run("list", "--store", "s.sqlite", "--format", "csv", "--sort", "title")
        #expect(csv.output == Self.films)
        let top = try await program.run(
            "list", "--store", "s.sqlite", "--sort", "boxOffice", "--descending", "--limit", "1", "--format", "json")
        #expect(
            top.lines == [
                "[",
                #"  {"title": "Up", "releaseDate": "2009-05-29", "boxOffice": 731342744.25, "#
                    + #""studio": "Walt Disney Pictures", "genre": "Adventure"}"#,
                "]",
            ])
        let some = try await program.run(
            "list", "--store", "s.sqlite", "--genre", "Horror", "--title-contains", "aw", "--format", "csv")
        #expect(some.lines.dropFirst().map { $0.prefix(4) } == ["Jaws"])
        let table = try await program.run(
            "list", "--store", "s.sqlite", "--studio", "Walt Disney Pictures", "--sort", "releaseDate")
        #expect(
            table.lines == [
                "title  releaseDate     boxOffice  studio                genre",
                "-----  -----------  ------------  --------------------  ---------",
                "Tron                              Walt Disney Pictures",
                "Up     2009-05-29   731342744.25  Walt Disney Pictures  Adventure",
            ])
        let copy = try await program.shell(
            """
            "$P" list --store s.sqlite --format json > c.json
            "$P" import c.json --store c.sqlite
            "$P" import c.json --store s.sqlite
            """
        )
        #expect(copy.lines.last == "imported 0, updated 0, unchanged 6, rejected 0")
    }

    @Test("A reader that stops early is not an error, a full disk is")
    func output() async throws {
        let program = try await seeded()
        defer { program.remove() }
        let cut = try await program.shell("(\"$P\" list --store s.sqlite; echo $? >&2) | head -1")
        #expect(cut.output.hasPrefix("title"))
        #expect(cut.errors == "0\n")
        guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
        let full = try await program.shell("\"$P\" list --store s.sqlite > /dev/full")
        #expect(full.status == 1)
        #expect(full.errors == "Error: the output cannot be written: No space left on device\n")
    }

    @Test("Without a terminal a table of statistics has at most 80 columns, and no figure is cut")
    func width() async throws {
        let program = try Program()
        defer { program.remove() }
        let studio = String(repeating: "Long ", count: 30) + "Pictures"
        let rows = "title,boxOffice,studio\nHeat,187436818,\(studio)\nUp,731342744.25,Short\n"
        let seed = try await program.run("import", "-", "--format", "csv", "--store", "s.sqlite", input: rows)
        #expect(seed.status == 0)
        let piped = try await program.shell("\"$P\" stats --store s.sqlite --by studio | cat")
        #expect(piped.lines.count == 4 && piped.lines.allSatisfy { $0.count <= 80 }, "\(piped.output)")
        #expect(piped.lines[2].hasSuffix("  731342744.25"))
        #expect(piped.lines[3].hasPrefix("Long Long") && piped.lines[3].hasSuffix("187436818"))
        let wide = try await program.shell("COLUMNS=300 \"$P\" stats --store s.sqlite --by studio > f; cat f")
        #expect(wide.lines.last?.hasPrefix(studio) == true)
        let narrow = try await program.shell("COLUMNS=20 \"$P\" stats --store s.sqlite --by studio | cat")
        #expect(narrow.lines[2].hasSuffix("  731342744.25"))
        let json = try await program.shell("\"$P\" stats --store s.sqlite --by studio --format json | cat")
        #expect(json.output.contains("\"\(studio)\""))
    }

    @Test("Without a command it gives the tour")
    func noCommand() async throws {
        let program = try Program()
        defer { program.remove() }
        let tour = try await program.shell("\"$P\"")
        #expect(tour.status == 0 && tour.errors == "")
        #expect(tour.lines.first == "1. Create a film, and read it back")
        #expect(tour.lines.last?.hasPrefix("That was the tour.") == true)
    }

    @Test("Ctrl-C ends the tour at once, with 130")
    func tourInterrupted() async throws {
        let program = try Program()
        defer { program.remove() }
        let tour = try program.follow(shell: "exec \"$P\" tour 2>&1", interruptAtOnce: true)
        var lines: [String] = []
        for await line in tour.lines { lines.append(line) }
        #expect(await tour.status() == 130)
        #expect(lines.first == "1. Create a film, and read it back" && lines.last == "Interrupted.")
    }

    @Test("A watcher waits for a store that does not exist yet, and does not create it")
    func watchMissing() async throws {
        let program = try Program()
        defer { program.remove() }
        let watcher = try program.follow(shell: "exec \"$P\" watch --store s.sqlite 2>&1")
        var lines: [String] = []
        for await line in watcher.lines {
            lines.append(line)
            switch lines.count {
            case 1:
                #expect(!program.exists("s.sqlite"))
                let rows = "title,boxOffice\nHeat,5\n"
                let ending = try await program.run("import", "-", "--format", "csv", "--store", "s.sqlite", input: rows)
                #expect(ending.lines.last == "imported 1, updated 0, unchanged 0, rejected 0")
            default: if line == "1 film, sum 5" { watcher.interrupt() }
            }
        }
        #expect(await watcher.status() == 130)
        #expect(lines.first == "s.sqlite is not there yet: waiting for it.")
        // The first line may show the store before its films are imported.
        #expect(lines.dropFirst().filter { $0 != "0 films, sum 0" } == ["1 film, sum 5"])
    }

    @Test(
        "S-M10 Ctrl-C ends a watcher that waits, with 130, however short the name", arguments: ["s.sqlite", "a", "é"])
    func watchMissingInterrupted(name: String) async throws {
        let program = try Program()
        defer { program.remove() }
        let watcher = try program.follow(shell: "exec \"$P\" watch --store \(name) 2>&1")
        for await _ in watcher.lines { watcher.interrupt() }
        #expect(await watcher.status() == 130)
        #expect(!program.exists(name))
    }

    @Test(
        "S-M10 A name that no file can have is not waited for",
        arguments: [
            ("", "the path is empty"), (".", "it is a folder"), ("..", "it is a folder"), ("a/", "names a folder"),
        ])
    func watchNothing(name: String, reason: String) async throws {
        let program = try Program()
        defer { program.remove() }
        for command in ["watch", "list", "stats"] {
            let ending = try await program.run(command, "--store", name)
            #expect(ending.status == 1 && ending.errors.contains(reason), "\(ending)")
        }
    }

    @Test("A watcher sees what another process imports, and Ctrl-C ends it with 130", arguments: ["text", "json"])
    func watch(format: String) async throws {
        let program = try await seeded()
        defer { program.remove() }
        let watcher = try program.follow(
            "watch", "--store", "s.sqlite", "--studio", "Universal", "--format", format)
        var lines: [String] = []
        for await line in watcher.lines {
            lines.append(line)
            if lines.count == 1 {
                let more = "title,boxOffice,studio\nPsycho,50000000,Universal\n"
                let ending = try await program.run("import", "-", "--format", "csv", "--store", "s.sqlite", input: more)
                #expect(ending.lines.last == "imported 1, updated 0, unchanged 0, rejected 0")
            } else {
                watcher.interrupt()
            }
        }
        #expect(await watcher.status() == 130)
        #expect(
            lines
                == (format == "text"
                    ? ["1 film, sum 470653000", "2 films, sum 520653000"]
                    : [#"{"count": 1, "sum": 470653000}"#, #"{"count": 2, "sum": 520653000}"#]))
    }

    @Test("A watcher prints how its figures were kept up to date", arguments: ["text", "json"])
    func watchStatistics(format: String) async throws {
        let program = try await seeded()
        defer { program.remove() }
        let watcher = try program.follow("watch", "--store", "s.sqlite", "--stats", "--format", format)
        var lines: [String] = []
        for await line in watcher.lines {
            lines.append(line)
            if lines.count == 1 {
                let more = "title,boxOffice,studio\nPsycho,50000000,Universal\n"
                _ = try await program.run("import", "-", "--format", "csv", "--store", "s.sqlite", input: more)
            } else {
                watcher.interrupt()
            }
        }
        #expect(await watcher.status() == 130)
        let pattern = format == "text" ? "updated 0, refilled 0, reread " : #""updated": 0, "refilled": 0, "reread": "#
        #expect(lines[0].hasSuffix(pattern + (format == "text" ? "0" : "0}")))
        // Another process has written, so the changed rows are unknown.
        #expect(lines.count == 2 && lines[1].contains(pattern) && !lines[1].contains(pattern + "0"))
    }

    @Test("The tour shows each step and ends")
    func tour() async throws {
        let program = try Program()
        defer { program.remove() }
        let tour = try await program.run("tour", "--films", "5000")
        #expect(tour.status == 0)
        #expect(tour.errors == "")
        #expect(tour.lines.filter { $0.first?.isNumber == true && $0.contains(". ") }.count == 4)
        #expect(tour.output.contains("in the store: 5001 films"))
        #expect(tour.lines.suffix(4).dropLast().allSatisfy { $0.hasPrefix("   The ") })
    }

    @Test("The real film data give the known figures, from JSON and from CSV")
    func realData() async throws {
        let folder =
            URL(fileURLWithPath: #filePath).pathComponents.dropLast(5).joined(separator: "/").dropFirst()
            + "/../shared/data"
        guard FileManager.default.fileExists(atPath: folder + "/movies.json") else {
            print("The film data is missing in \(folder). This test is skipped.")
            return
        }
        let program = try Program()
        defer { program.remove() }
        for format in ["json", "csv"] {
            for counts in ["imported 3200, updated 0, unchanged 0", "imported 0, updated 0, unchanged 3200"] {
                let ending = try await program.run(
                    "import", "\(folder)/movies.\(format)", "--store", "\(format).sqlite")
                #expect(
                    ending.lines.suffix(2) == ["rejected line 3055: the title is missing", counts + ", rejected 1"])
            }
            let stats = try await program.run("stats", "--store", "\(format).sqlite", "--format", "json")
            #expect(stats.output.hasPrefix("{\"count\": 3200, \"sum\": 272583739559, "))
            #expect(stats.output.hasSuffix("\"max\": 2767891499}\n"))
            let studios = try await program.run(
                "stats", "--store", "\(format).sqlite", "--by", "studio", "--format", "json")
            #expect(
                studios.lines[1].hasPrefix("  {\"studio\": \"Warner Bros.\", \"count\": 318, \"sum\": 39712039384,"))
        }
    }

    private func seeded() async throws -> Program {
        let program = try Program()
        try program.write(Self.films, to: "films.csv")
        let ending = try await program.run("import", "films.csv", "--store", "s.sqlite")
        try #require(ending.status == 0, "\(ending.errors)")
        return program
    }
}
