import Foundation
import Testing

@Suite("Stores on a server", .timeLimit(.minutes(10)))
struct ServerTests {
    private let server: TestServer

    init() throws { server = try TestServer.shared.get() }

    @Test(
        "Films are imported once, summed up and listed, however the server is specified", arguments: [false, true])
    func commands(isURI: Bool) async throws {
        let program = try Program()
        defer { program.remove() }
        try program.write(try #require(ImportTests.films["csv"]), to: "films.csv")
        let store = try isURI ? server.uri() : server.store()
        let first = try await program.run("import", "films.csv", "--store", store)
        #expect(first.status == 0 && first.errors == "", "\(first.errors)")
        #expect(first.lines.last == "imported 3, updated 0, unchanged 0, rejected 1")
        let again = try await program.run("import", "films.csv", "--store", store, "--strict")
        #expect(again.lines.last == "imported 0, updated 0, unchanged 0, rejected 1")
        let changed = try await program.run(
            "import", "-", "--format", "csv", "--store", store, input: "title,releaseDate\n1776,1972-11-09\n")
        #expect(changed.lines.last == "imported 0, updated 1, unchanged 0, rejected 0")
        let same = try await program.run("import", "films.csv", "--store", store)
        #expect(same.lines.last == "imported 0, updated 1, unchanged 2, rejected 1")
        let listed = try await program.run("list", "--store", store, "--format", "csv")
        #expect(listed.output == ImportTests.listed)
        let some = try await program.run(
            "list", "--store", store, "--genre", "Drama", "--title-contains", "LOVE", "--sort", "boxOffice", "--format",
            "csv")
        #expect(some.lines.dropFirst().map { $0.prefix(6) } == ["\"First"])
        let stats = try await program.run("stats", "--store", store, "--format", "json")
        #expect(
            stats.output
                == "{\"count\": 3, \"sum\": 10888.5, \"average\": 5444.25, \"min\": 12.5, \"max\": 10876}\n")
        let years = try await program.run("stats", "--store", store, "--by", "year", "--format", "json")
        #expect(years.lines.count == 5 && years.lines[1].hasPrefix("  {\"year\": 1998, \"count\": 1, \"sum\": 10876,"))
        #expect(!FileManager.default.fileExists(atPath: program.path(store)))
    }

    @Test("A watcher sees what another process imports, and Ctrl-C ends it with 130")
    func watch() async throws {
        let program = try Program()
        defer { program.remove() }
        let store = try server.uri()
        let rows = "title,boxOffice\nHeat,5\n"
        _ = try await program.run("import", "-", "--format", "csv", "--store", store, input: rows)
        let watcher = try program.follow("watch", "--store", store)
        var lines: [String] = []
        for await line in watcher.lines {
            lines.append(line)
            if lines.count == 1 {
                let more = "title,boxOffice\nPsycho,7\n"
                let ending = try await program.run("import", "-", "--format", "csv", "--store", store, input: more)
                #expect(ending.lines.last == "imported 1, updated 0, unchanged 0, rejected 0")
            } else {
                watcher.interrupt()
            }
        }
        #expect(await watcher.status() == 130)
        #expect(lines == ["1 film, sum 5", "2 films, sum 12"])
    }

    @Test("Ctrl-C keeps whole batches of an import, and a reader that stops early is not an error")
    func interrupted() async throws {
        let program = try Program()
        defer { program.remove() }
        let store = try server.uri()
        try program.write("title,boxOffice\n" + (0..<200_000).map { "Film \($0),1\n" }.joined(), to: "films.csv")
        let running = try program.follow(
            shell: "exec \"$P\" import films.csv --store '\(store)' --batch 500", interruptAtOnce: true)
        var last = ""
        for await line in running.lines { last = line }
        #expect(await running.status() == 130)
        let counts = try await program.run("stats", "--store", store, "--format", "json")
        let stored = try #require(counts.output.firstMatch(of: /"count": (\d+)/).flatMap { Int($0.1) })
        #expect(stored >= 500 && stored < 200_000 && stored % 500 == 0)
        #expect(last == "imported \(stored), updated 0, unchanged 0, rejected 0")
        let cut = try await program.shell("(\"$P\" list --store '\(store)'; echo $? >&2) | head -1")
        #expect(cut.output.hasPrefix("title") && cut.errors == "0\n")
        let piped = try await program.shell("\"$P\" list --store '\(store)' --format csv > list; wc -l < list")
        #expect(piped.lines.first?.trimmingCharacters(in: .whitespaces) == "\(stored + 1)")
    }

    @Test("Ctrl-C ends a command that waits for a silent server", arguments: ["watch --store S", "copy S c"])
    func silent(line: String) async throws {
        let program = try Program()
        defer { program.remove() }
        let socket = try SilentServer(in: program.folder)
        let command = line.replacing("S", with: "'host=\(program.folder) user=me'")
        let running = try program.follow(shell: "exec \"$P\" \(command) 2>&1")
        await socket.connection()
        running.interrupt()
        var lines: [String] = []
        for await line in running.lines { lines.append(line) }
        #expect(await running.status() == 130)
        #expect(lines == (line.hasPrefix("copy") ? ["Interrupted: nothing was copied."] : []))
    }

    @Test("A problem with a server is reported in one sentence, without the password")
    func wrong() async throws {
        let program = try Program()
        defer { program.remove() }
        try program.write("title\nHeat\n", to: "films.csv")
        let stores = [
            ("postgresql://me:s3cret@%2Fnowhere/films", "No such file or directory"),
            ("host=127.0.0.1 port=1 user=me password=s3cret connect_timeout=5", "Connection refused"),
            (try server.uri(database: "nothing"), "database \"nothing\" does not exist"),
            (try server.uri(user: "locked", password: "s3cret"), "password authentication failed"),
            ("postgres://me:s3cret%zz@host/films", "the connection string is not valid"),
            ("postgres://me:x@s3cret@host/films", "the connection string is not valid"),
            ("password=x s3cret", "the connection string is not valid"),
        ]
        for (store, reason) in stores {
            for line in [
                "import films.csv --store S", "stats --store S", "list --store S", "watch --store S", "copy S c",
            ] {
                let ending = try await program.shell("S='\(store)'; \"$P\" \(line.replacing("S", with: "\"$S\""))")
                #expect(ending.status == 1, "\(store)")
                #expect(ending.errors.hasPrefix("Error: ") && ending.errors.contains(reason), "\(ending.errors)")
                #expect(ending.errors.filter { $0 == "\n" }.count == 1, "\(ending.errors)")
                #expect(!ending.errors.contains("s3cret") && !ending.output.contains("s3cret"))
            }
        }
        for command in ["stats", "list", "watch"] {
            let ending = try await program.run(command, "--store", try server.store())
            #expect(ending.status == 1 && ending.errors.filter { $0 == "\n" }.count == 1, "\(ending.errors)")
        }
    }
}

/// A socket at the path of a server's, which accepts connections and never answers.
private final class SilentServer: Sendable {
    private let descriptor: Int32

    init(in folder: String) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = folder + "/.s.PGSQL.5432"
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        #if canImport(Glibc)
            descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #else
            descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
        #endif
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isBound = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
        }
        try #require(isBound && listen(descriptor, 5) == 0)
    }

    deinit { close(descriptor) }

    /// Waits for a connection.
    func connection() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [descriptor] in
                _ = accept(descriptor, nil, nil)
                continuation.resume()
            }
        }
    }
}
