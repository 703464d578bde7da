#if Serve
    import Foundation
    import SignalRepository
    import Testing

    @testable import PlaygroundKit

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    @Suite("playground serve", .timeLimit(.minutes(5)))
    struct ServeCommandTests {
        /// The address of the page, as the program prints it.
        private func address(_ line: String?) throws -> URL {
            let word = try #require(line?.split(separator: " ").first, "\(line ?? "no line")")
            return try #require(URL(string: String(word)))
        }

        @Test("It creates the file, serves its films, and ends with 130 on Ctrl-C, even with tabs open")
        func file() async throws {
            let program = try Program()
            defer { program.remove() }
            _ = try await program.run("import", "-", "--format", "csv", "--store", "s.sqlite", input: "title\nHeat\n")
            let server = try program.follow("serve", "--store", "s.sqlite", "--port", "0")
            var lines = server.lines.makeAsyncIterator()
            let line = await lines.next()
            #expect(line?.hasPrefix("http://127.0.0.1:") == true)
            #expect(line?.hasSuffix("/ shows s.sqlite, until Ctrl-C.") == true)
            var tab = TabStream(try address(line).appending(path: "events"))
            #expect(try await tab.next("found")?.data == "1")
            server.interrupt()
            #expect(await server.status() == 130)
            while try await tab.next() != nil {}
            let listed = try await program.run("list", "--store", "s.sqlite", "--format", "csv")
            #expect(listed.lines.last == "Heat,,,,")
        }

        @Test("The default store is films.sqlite, which is created")
        func defaults() async throws {
            let program = try Program()
            defer { program.remove() }
            let server = try program.follow("serve", "--port", "0")
            for await line in server.lines {
                #expect(line.hasSuffix("/ shows films.sqlite, until Ctrl-C."))
                server.interrupt()
            }
            #expect(await server.status() == 130)
            #expect(program.exists("films.sqlite"))
        }

        @Test(
            "A port in use, an unknown address, a store in use and a missing folder are each reported in one sentence")
        func failures() async throws {
            let program = try Program()
            defer { program.remove() }
            let server = try program.follow("serve", "--store", "a.sqlite", "--port", "0")
            var lines = server.lines.makeAsyncIterator()
            let port = try #require(try address(await lines.next()).port)
            for (arguments, sentence) in [
                (
                    ["--store", "b.sqlite", "--port", "\(port)"],
                    "port \(port) of 127.0.0.1 is taken: choose another with --port"
                ),
                (
                    ["--store", "b.sqlite", "--port", "0", "--host", "192.0.2.1"],
                    "192.0.2.1 is not an address of this machine"
                ),
                (["--store", "b.sqlite", "--port", "0", "--host", "no.invalid"], "no.invalid cannot be listened on"),
                (["--store", "a.sqlite", "--port", "0"], "a.sqlite"),
                (["--store", "none/a.sqlite", "--port", "0"], "none/a.sqlite"),
                (["--store", "postgresql://127.0.0.1:1/films", "--port", "0"], "Connection refused"),
            ] {
                let words = arguments.map { "'\($0)'" }.joined(separator: " ")
                let ending = try await program.shell("\"$P\" serve \(words)")
                #expect(ending.status == 1 && ending.output == "", "\(arguments)")
                let errors = ending.errors.split(separator: "\n")
                #expect(errors.count == 1 && errors.first?.hasPrefix("Error: ") == true, "\(ending.errors)")
                #expect(ending.errors.contains(sentence), "\(ending.errors)")
            }
            server.interrupt()
            #expect(await server.status() == 130)
        }

        @Test("Wrong arguments end with 64")
        func usage() async throws {
            let program = try Program()
            defer { program.remove() }
            for words in ["--port 65536", "--port no", "--port -1", "--host ''", "--sore a"] {
                #expect(try await program.shell("\"$P\" serve \(words)").status == 64, "\(words)")
            }
        }

        @Test("Two servers on one PostgreSQL store show each other's edits")
        func twoServers() async throws {
            let program = try Program()
            defer { program.remove() }
            let store = try TestServer.shared.get().store()
            let servers = try [1, 2].map { _ in try program.follow("serve", "--store", store, "--port", "0") }
            var addresses: [URL] = []
            for server in servers {
                var lines = server.lines.makeAsyncIterator()
                let line = await lines.next()
                #expect(line?.hasSuffix("/ shows the store on the server, until Ctrl-C.") == true)
                addresses.append(try address(line))
            }
            var tabs = addresses.map { TabStream($0.appending(path: "events")) }
            for index in tabs.indices { #expect(try await tabs[index].next("found")?.data == "0") }
            try program.write("title,boxOffice\nHeat,187\n", to: "films.csv")
            let imported = try await program.run("import", "films.csv", "--store", store)
            #expect(imported.status == 0)
            for index in tabs.indices {
                #expect(try await tabs[index].next("totals") { $0.object["sum"] as? String == "187" } != nil)
            }
            var request = URLRequest(url: addresses[0].appending(path: "films"))
            request.httpMethod = "DELETE"
            request.httpBody = Data(#"{"id": "- Heat"}"#.utf8)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            _ = try await URLSession.shared.data(for: request)
            #expect(try await tabs[1].next("totals") { $0.object["count"] as? Int == 0 } != nil)
            for server in servers {
                server.interrupt()
                #expect(await server.status() == 130)
            }
        }
    }
#endif
