#if Serve
    import Foundation
    import ServingTesting
    import SignalRepository
    import Testing

    @testable import PlaygroundKit
    @testable import PlaygroundPage

    @Suite("Imports by the page", .timeLimit(.minutes(2)))
    struct PageImportTests {
        private static let octets = ["Content-Type": "application/octet-stream"]

        @Test("A file is uploaded, and every tab receives its progress")
        func upload() async throws {
            try await RunningPage.run { page in
                var tab = try page.open()
                _ = try await tab.next("films")
                let rows = "title,boxOffice\n" + (1...2500).map { "Film \($0),1\n" }.joined() + "Odd,much\n"
                let answer = try await page.send("POST", "/imports/upload?name=films.csv", rows, headers: Self.octets)
                #expect(answer.status == 202)
                let done = try #require(try await tab.next("imports") { $0.object["state"] as? String == "done" })
                #expect(
                    done.data
                        == #"{"state": "done", "name": "films.csv", "#
                        + #""summary": "imported 2500, updated 0, unchanged 0, rejected 1", "rows": 2501, "#
                        + #""percent": 100, "rejects": ["line 2502: the boxOffice \"much\" is not an amount"], "#
                        + #""failure": null}"#)
                #expect(try await page.repository.count(Film.self).value() == 2500)
                let totals = FilmTotals(count: 2500, sum: 2500)
                #expect(try await page.repository.follow(FilmTotals.live()).value().value == totals)
            }
        }

        @Test("Importing a file again changes nothing")
        func again() async throws {
            try await RunningPage.run { page in
                var tab = try page.open()
                for summary in [
                    "imported 2, updated 0, unchanged 0, rejected 0", "imported 0, updated 0, unchanged 2, rejected 0",
                ] {
                    let films = #"[{"title": "Heat"}, {"title": "Alien"}]"#
                    let answer = try await page.send(
                        "POST", "/imports/upload?name=films.json", films, headers: Self.octets)
                    #expect(answer.status == 202)
                    let ended = try #require(
                        try await tab.next("imports") {
                            $0.object["state"] as? String == "done" && $0.object["summary"] as? String == summary
                        })
                    #expect(ended.object["percent"] as? Int == 100)
                }
            }
        }

        @Test("W2 W3 No request names a file of this machine")
        func named() async throws {
            let program = try Program()
            defer { program.remove() }
            try program.write(#"[{"title": "Heat"}]"#, to: "films.json")
            #expect(mkfifo(program.path("pipe.csv"), 0o600) == 0)
            try await RunningPage.run { page in
                for name in ["films.json", "pipe.csv", "none.csv"] {
                    let body = try JSONSerialization.data(withJSONObject: ["path": program.path(name)])
                    let answer = try await page.send("POST", "/imports", String(decoding: body, as: UTF8.self))
                    #expect(answer.status == 404 && !answer.body.contains(name))
                }
                #expect(try await page.repository.count(Film.self).value() == 0)
            }
        }

        @Test("W5 After imports in quick succession another one can begin")
        func close() async throws {
            let desk = ImportDesk(try SQLiteRepository(.inMemory, entities: Film.self))
            await withTaskGroup(of: Void.self) { group in
                for client in 0..<8 {
                    group.addTask {
                        var imported = 0
                        while imported < 100 {
                            await Task.yield()
                            guard let run = desk.enter(name: "\(client)") else { continue }
                            imported += 1
                            do {
                                let file = try OpenFile.temporary()
                                try file.append(Array("title\n\(client) \(imported)\n".utf8)[...])
                                desk.begin(run, try FilmInput(file, calledAs: "films.csv"))
                            } catch {
                                Issue.record(error)
                            }
                        }
                    }
                }
            }
            // Otherwise the test ends by its time limit.
            while desk.enter(name: "last") == nil { await Task.yield() }
            #expect(try await desk.repository.count(Film.self).value() == 800)
        }

        /// Begins an upload of a million bytes, and sends only the first ones.
        private func upload(_ name: String, sending content: String, to page: RunningPage) throws -> RawConnection {
            let client = try RawConnection(port: try #require(page.base.port))
            client.send(
                "POST /imports/upload?name=\(name) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                    + "Content-Type: application/octet-stream\r\nContent-Length: 1000000\r\n\r\n\(content)")
            return client
        }

        @Test("W12 An upload counts as the one import from its beginning; others are refused before they send a file")
        func slow() async throws {
            try await RunningPage.run { page in
                let client = try upload("slow.csv", sending: "title\nHeat\n", to: page)
                var tab = try page.open()
                let running = try await tab.next("imports") { $0.object["state"] as? String == "running" }
                #expect(running?.object["name"] as? String == "slow.csv")
                let other = try upload("b.csv", sending: "", to: page)
                #expect(await other.received(until: "\r\n").hasPrefix("HTTP/1.1 409"))
                client.close()
                let failed = try await tab.next("imports") { $0.object["state"] as? String == "failed" }
                #expect(failed?.object["failure"] as? String == "its upload broke off")
                let answer = try await page.send(
                    "POST", "/imports/upload?name=b.csv", "title\nB\n", headers: Self.octets)
                #expect(answer.status == 202)
                _ = try await tab.next("imports") { $0.object["state"] as? String == "done" }
                #expect(try await page.repository.fetch(Film.all).value().map(\.title) == ["B"])
            }
        }

        @Test("W12 An upload that stalls can be stopped, and another import can begin at once")
        func stoppedUpload() async throws {
            try await RunningPage.run { page in
                let client = try upload("slow.csv", sending: "title\nHeat\n", to: page)
                var tab = try page.open()
                _ = try await tab.next("imports") { $0.object["state"] as? String == "running" }
                #expect(try await page.send("DELETE", "/imports", "{}").status == 204)
                _ = try await tab.next("imports") { $0.object["state"] as? String == "stopped" }
                // Its connection ends.
                #expect(await !client.received().hasPrefix("HTTP/1.1 2"))
                let answer = try await page.send(
                    "POST", "/imports/upload?name=b.csv", "title\nB\n", headers: Self.octets)
                #expect(answer.status == 202)
                _ = try await tab.next("imports") { $0.object["state"] as? String == "done" }
                #expect(try await page.repository.fetch(Film.all).value().map(\.title) == ["B"])
            }
        }

        @Test("One import runs at a time; it can be stopped, and the earlier batches stay")
        func stopped() async throws {
            let rows = "title\n" + (1...200_000).map { "Film \($0)\n" }.joined()
            try await RunningPage.run { page in
                var tab = try page.open()
                _ = try await tab.next("films")
                let first = try await page.send("POST", "/imports/upload?name=films.csv", rows, headers: Self.octets)
                #expect(first.status == 202)
                let second = try await page.send(
                    "POST", "/imports/upload?name=b.csv", "title\nB\n", headers: Self.octets)
                #expect(second.status == 409 && second.message?.hasPrefix("Another import is running") == true)
                #expect(try await page.send("DELETE", "/imports", "{}").status == 204)
                let ended = try #require(
                    try await tab.next("imports") { ["stopped", "done"].contains($0.object["state"] as? String) })
                #expect(ended.object["state"] as? String == "stopped")
                let count = try await page.repository.count(Film.self).value()
                #expect(count == ended.object["rows"] as? Int && count < 200_000)
            }
        }
    }
#endif
