import Foundation
import SignalRepository
import SignalRepositoryPostgres
import Testing

@testable import PlaygroundKit

@Suite("The command copy", .timeLimit(.minutes(10)))
struct CopyTests {
    private let server: TestServer

    init() throws { server = try TestServer.shared.get() }

    @Test("A store is copied from a file to a server, to another schema and to files, and every row stays the same")
    func bothWays() async throws {
        let program = try Program()
        defer { program.remove() }
        let films = "\u{301}, e\u{301} and é, 七人の侍, ' \" \\ \t\n, Ⅳ, z, Z".split(separator: ",")
            .map { Film(title: String($0), releaseDate: nil, boxOffice: nil, studio: "", genre: "e\u{301}") }
        let edges = ([Amount.largest, -Amount.largest, 0, 0.0001] as [Decimal]).map { amount in
            Film(
                title: "\(amount)", releaseDate: ReleaseDate.parse("9999-12-31T23:59:59.999"), boxOffice: amount,
                studio: nil, genre: nil)
        }
        let file = try SQLiteRepository(.file(program.path("a.sqlite")), entities: Film.self)
        let count = try await file.insert(films + edges + Array(FilmGenerator(count: 2_500))).value()
        await file.close().value()
        let (first, second) = (try server.uri(), try server.store())
        for (source, target) in [("a.sqlite", first), (first, second), (second, "b.sqlite"), ("b.sqlite", "c.sqlite")] {
            let ending = try await program.run("copy", source, target)
            #expect(ending.errors == "" && ending.status == 0)
            #expect(ending.output == "copied \(count), compared \(count), equal \(count)\n")
        }
        let listed = try await program.run("list", "--store", "a.sqlite", "--format", "json").output
        for store in [first, second, "b.sqlite", "c.sqlite"] {
            #expect(try await program.run("list", "--store", store, "--format", "json").output == listed)
        }
    }

    @Test("A store without films is copied; a target with films and a missing source are refused")
    func filled() async throws {
        let program = try Program()
        defer { program.remove() }
        let store = try server.uri()
        _ = try await program.run("import", "-", "--format", "csv", "--store", "a.sqlite", input: "title\n")
        #expect(try await program.run("copy", "a.sqlite", store).output == "copied 0, compared 0, equal 0\n")
        _ = try await program.run("import", "-", "--format", "csv", "--store", "b.sqlite", input: "title\nUp\nHeat\n")
        #expect(try await program.run("copy", "b.sqlite", store).output == "copied 2, compared 2, equal 2\n")
        for (target, name) in [(store, "the store on the server"), ("b.sqlite", "b.sqlite")] {
            let again = try await program.run("copy", "b.sqlite", target)
            #expect(again.status == 1 && again.output == "")
            #expect(again.errors == "Error: \(name) holds films already (2): name a store without any\n")
        }
        let missing = try await program.run("copy", "none.sqlite", "c.sqlite")
        #expect(missing.status == 1 && missing.errors.contains("none.sqlite"))
        #expect(!program.exists("none.sqlite") && !program.exists("c.sqlite"))
        for line in ["copy", "copy a.sqlite", "copy a.sqlite c.sqlite --batch 0"] {
            #expect(try await program.shell("\"$P\" \(line)").status == 64, "\(line)")
        }
    }

    @Test("If the server rejects a film, the whole batches before it stay")
    func failing() async throws {
        let program = try Program()
        defer { program.remove() }
        let store = try server.uri()
        try program.write(
            (1...25).map { "{\"title\": \"\($0 == 25 ? "z\\u0000" : "a\($0)")\"}\n" }.joined(), to: "f.ndjson")
        _ = try await program.run("import", "f.ndjson", "--store", "a.sqlite")
        let ending = try await program.run("copy", "a.sqlite", store, "--batch", "10")
        #expect(ending.status == 1 && ending.output == "")
        #expect(ending.errors.hasSuffix(" (the 20 rows before it stay as copied)\n"), "\(ending.errors)")
        #expect(ending.errors.filter { $0 == "\n" }.count == 1 && ending.errors.contains("NUL"), "\(ending.errors)")
        let counts = try await program.run("stats", "--store", store, "--format", "json")
        #expect(counts.output.hasPrefix("{\"count\": 20,"))
    }

    @Test("Ctrl-C in the middle leaves whole batches, says so, and ends with 130")
    func interrupted() async throws {
        let program = try Program()
        defer { program.remove() }
        let store = try server.uri()
        let source = try SQLiteRepository(.file(program.path("a.sqlite")), entities: Film.self)
        _ = try await source.insert(
            (1...1_000).map {
                Film(title: "Film \($0 + 1_000)", releaseDate: nil, boxOffice: nil, studio: nil, genre: nil)
            }
        ).value()
        await source.close().value()
        // The server blocks in the fourth batch, and reports that through a pipe.
        let target = try PostgresRepository(store, entities: Film.self)
        let pipe = program.path("pipe")
        mkfifo(pipe, 0o666)
        chmod(pipe, 0o666)
        try server.run(
            """
            CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            COPY (SELECT 1) TO '\(pipe)'; PERFORM pg_sleep(600); RETURN NEW;
            END $$;
            CREATE TRIGGER stop BEFORE INSERT ON "Film" FOR EACH ROW WHEN (NEW.title = 'Film 1350')
            EXECUTE FUNCTION stop()
            """, on: store)
        await target.close().value()
        let running = try program.follow(shell: "exec \"$P\" copy a.sqlite '\(store)' --batch 100 2>&1")
        #expect(try await program.shell("cat pipe").output == "1\n")
        running.interrupt()
        var lines: [String] = []
        for await line in running.lines { lines.append(line) }
        #expect(await running.status() == 130)
        #expect(lines == ["Interrupted: the 300 rows before it stay as copied."])
        let counts = try await program.run("stats", "--store", store, "--format", "json")
        #expect(counts.output.hasPrefix("{\"count\": 300,"))
    }

    @Test("Progress is shown only if standard error is a terminal")
    func terminal() async throws {
        let program = try Program()
        defer { program.remove() }
        _ = try await program.run("import", "-", "--format", "csv", "--store", "a.sqlite", input: "title\nUp\nHeat\n")
        let shown = try await program.shell("script -qec \"'$P' copy a.sqlite b.sqlite > out\" /dev/null; cat out")
        #expect(shown.output.contains("[##############################] 100 %, 2 rows, "), "\(shown.output)")
        #expect(shown.output.hasSuffix("copied 2, compared 2, equal 2\n"))
        let silent = try await program.run("copy", "a.sqlite", "c.sqlite")
        #expect(silent.errors == "")
    }
}
