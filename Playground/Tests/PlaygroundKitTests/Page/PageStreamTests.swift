#if Serve
    import Foundation
    import Serving
    import ServingTesting
    import SignalRepository
    import Synchronization
    import Testing

    @testable import PlaygroundKit
    @testable import PlaygroundPage

    // A stream that does not end would hang the test.
    @Suite("The stream of a tab", .timeLimit(.minutes(2)))
    struct PageStreamTests {
        @Test("A tab first receives everything that it shows")
        func snapshot() async throws {
            try await RunningPage.run { page in
                try await page.add([
                    .made("Heat", "1995-12-15", 187, "Warner"), .made("Alien", "1979-05-25", 104.5, "Fox"),
                ])
                var tab = try page.open()
                let found = try await tab.next([
                    "store", "films", "found", "totals", "studios", "imports", "statements", "statistics",
                ])
                #expect(found["store"]?.data == "\"films.sqlite\"")
                #expect(found["found"]?.data == "2")
                #expect(found["totals"]?.data == #"{"count": 2, "sum": "291.5"}"#)
                #expect(found["studios"]?.objects.compactMap { $0["studio"] as? String } == ["Warner", "Fox"])
                #expect(
                    found["films"]?.data
                        == #"{"isWhole": true, "without": [], "with": ["#
                        + #"{"at": 0, "film": {"id": "1979-05-25 Alien", "title": "Alien", "#
                        + #""releaseDate": "1979-05-25", "boxOffice": "104.5", "studio": "Fox", "genre": null}}, "#
                        + #"{"at": 1, "film": {"id": "1995-12-15 Heat", "title": "Heat", "releaseDate": "1995-12-15", "#
                        + #""boxOffice": "187", "studio": "Warner", "genre": null}}]}"#)
                #expect(found["imports"]?.object["state"] as? String == "none")
                #expect(found["statistics"]?.object["queries"] is Int)
            }
        }

        @Test("A change by another client is an event with only the changed rows")
        func change() async throws {
            try await RunningPage.run { page in
                let titles = (10..<60).map { "Film \($0)" }
                try await page.add(titles.map { .made($0, nil, 1, "A") })
                var tab = try page.open()
                let first = try #require(try await tab.next("films"))
                #expect((first.object["with"] as? [Any])?.count == 50)
                let film = try await page.repository.read(Film.self, id: "- Film 20").value()
                #expect(film.studio == "A")
                #expect(try await page.send("PATCH", "/films", #"{"id": "- Film 20", "studio": "B"}"#).status == 200)
                let changed = try #require(try await tab.next("films"))
                #expect(changed.object["isWhole"] as? Bool == false)
                #expect(changed.object["without"] as? [Int] == [10])
                let with = try #require(changed.object["with"] as? [[String: Any]])
                #expect(with.count == 1 && with.first?["at"] as? Int == 10)
                #expect((with.first?["film"] as? [String: Any])?["studio"] as? String == "B")
                #expect(try await page.send("DELETE", "/films", #"{"id": "- Film 59"}"#).status == 204)
                // They arrive in any order.
                var awaited: Set = [
                    #"{"isWhole": false, "without": [49], "with": []}"#, #"{"count": 49, "sum": "49"}"#,
                ]
                while !awaited.isEmpty, let event = try await tab.next() { awaited.remove(event.data) }
                #expect(awaited == [])
                // Only twelve studios are shown, but all were read with the first value.
                #expect(page.repository.statistics.reread == 0)
            }
        }

        @Test("Each stream has its own search, order and number of rows")
        func view() async throws {
            try await RunningPage.run { page in
                try await page.add([.made("Alien", nil, 3), .made("Aliens", nil, 1), .made("Heat", nil, 2)])
                var tab = try page.open("?search=ALI%20en&order=boxOffice&descending=true&rows=1")
                let found = try await tab.next(["films", "found"])
                let films = try #require(found["films"]?.object["with"] as? [[String: Any]])
                #expect(films.compactMap { ($0["film"] as? [String: Any])?["title"] as? String } == ["Alien"])
                #expect(found["found"]?.data == "2")
            }
        }

        @Test("Tabs with the same view share their queries, and a tab that is closed frees them")
        func closed() async throws {
            try await RunningPage.run { page in
                var tabs = [try page.open(), try page.open()]
                for index in tabs.indices { _ = try await tabs[index].next(["films", "found", "totals", "studios"]) }
                #expect(page.repository.statistics.subscriptions == 8)
                #expect(page.repository.statistics.queries == 4)
                tabs[0].close()
                // Otherwise the test ends by its time limit.
                while page.repository.statistics.subscriptions > 4 { await Task.yield() }
                tabs[1].close()
                while page.repository.statistics.subscriptions > 0 { await Task.yield() }
                #expect(page.repository.statistics.queries == 0)
            }
        }

        @Test("A program that is started while a tab is open does not keep its stream open")
        func besides() async throws {
            try await RunningPage.run { page in
                var tab = try page.open()
                _ = try await tab.next("films")
                let shell = try Shell("echo ready; read line")
                #expect(shell.receive(6) == "ready\n")
                tab.close()
                // Otherwise the test ends by its time limit.
                while page.repository.statistics.subscriptions > 0 { await Task.yield() }
                try shell.send("end")
            }
        }

        @Test("The server ends although tabs are open, and their streams are complete")
        func serverEnds() async throws {
            try await RunningPage.run { page in
                var tab = try page.open()
                _ = try await tab.next("films")
                page.stop()
                while try await tab.next() != nil {}
            }
        }

        @Test("A query that fails is reported to the page, which still shows the others")
        func failing() async throws {
            try await RunningPage.run { page in
                let most = Amount.largest
                try await page.add([.made("A", nil, most), .made("B", nil, most)])
                var tab = try page.open()
                let failure = try #require(try await tab.next("failure"))
                #expect(["totals", "studios"].contains(failure.object["of"] as? String))
                #expect(failure.object["message"] as? String != "")
                try await page.add([.made("C")])
                #expect(try await tab.next("found", where: { $0.data == "3" }) != nil)
            }
        }

        @Test("W10 Totals that could not be computed are sent once they can be")
        func mended() async throws {
            try await RunningPage.run { page in
                let most = Amount.largest
                try await page.add([.made("A", nil, most, "Fox"), .made("B", nil, most, "Fox")])
                var tab = try page.open()
                let failures = try await tab.next(["failure"])
                // W15 A sentence, without the statement.
                #expect(failures["failure"]?.object["message"] as? String == "A sum is too large.")
                #expect(try await page.send("PATCH", "/films", #"{"id": "- B", "boxOffice": "0"}"#).status == 200)
                let found = try await tab.next(["totals", "studios"])
                #expect(found["totals"]?.object["sum"] as? String == Amount.text(most))
                #expect(found["studios"]?.objects.first?["sum"] as? String == Amount.text(most))
            }
        }

        @Test("W4 The maximum number of tabs does not keep other requests from being answered")
        func manyTabs() async throws {
            var limits = ServerLimits()
            limits.streams = 3
            try await RunningPage.run(limits: limits) { page in
                var tabs = try (0..<3).map { _ in try page.open() }
                for index in tabs.indices { _ = try await tabs[index].next("films") }
                #expect(try await page.send("GET", "/events").status == 503)
                #expect(try await page.send("POST", "/films", #"{"title": "Heat"}"#).status == 201)
                for tab in tabs { tab.close() }
            }
        }

        @Test("W8 The server ends even if it does not read the body of a stream's request")
        func body() async throws {
            try await RunningPage.run { page in
                let client = try RawConnection(port: try #require(page.base.port))
                client.send("GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 999999999\r\n\r\n")
                client.send(String(repeating: "x", count: 300_000))
                #expect(await client.received(until: "\r\n").hasPrefix("HTTP/1.1 400"))
                client.close()
                // The test ends when the server has ended.
            }
        }

        @Test("W13 All tabs share the readings of the live engine's statistics")
        func figures() throws {
            let times = Broadcast<Int, Never>()
            let readings = Mutex(0)
            let repository = try SQLiteRepository(.inMemory, entities: Film.self)
            let figures = PageServer.statistics(at: times.signal) {
                readings.withLock { $0 += 1 }
                return repository.statistics
            }
            let seen = Mutex(0)
            let tabs = (0..<100).map { _ in figures.sink { _ in seen.withLock { $0 += 1 } } }
            #expect(seen.withLock { $0 } == 100 && readings.withLock { $0 } == 1)
            for time in 1...5 { times.send(time) }
            // Without a change there is no further event.
            #expect(seen.withLock { $0 } == 100 && readings.withLock { $0 } == 6)
            for tab in tabs { tab.cancel() }
            times.send(6)
            #expect(readings.withLock { $0 } == 6)
        }

        @Test("Statements are shown with their rows and their time, and without their values")
        func statements() async throws {
            try await RunningPage.run { page in
                var tab = try page.open()
                _ = try await tab.next("films")
                #expect(try await page.send("POST", "/films", #"{"title": "A secret"}"#).status == 201)
                let event = try #require(
                    try await tab.next("statements") { event in
                        event.objects.contains { ($0["sql"] as? String)?.hasPrefix("INSERT") == true }
                    })
                #expect(!event.data.contains("secret"))
                #expect(event.objects.allSatisfy { $0["rows"] is Int && $0["microseconds"] is Int })
                #expect(event.objects.count <= StatementTrail.kept)
            }
        }
    }
#endif
