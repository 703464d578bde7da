#if Serve
    import Foundation
    import SignalRepository
    import Signals
    import Testing

    @testable import PlaygroundKit
    @testable import PlaygroundPage

    @Suite("Imports by the page", .timeLimit(.minutes(2)))
    struct PageImportTests {
        private static let octets = ["Content-Type": "application/octet-stream"]

        @Test("A file is uploaded, and every tab sees how it comes in")
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
                        + #""percent": 100, "rejects": ["line 2502: the boxOffice \"much\" is no amount"], "#
                        + #""failure": null}"#)
                #expect(try await page.repository.count(Film.self).value() == 2500)
                let totals = FilmTotals(count: 2500, sum: 2500)
                #expect(try await page.repository.follow(FilmTotals.live()).value().value == totals)
            }
        }

        @Test("A file is named, and what is imported again changes nothing")
        func named() async throws {
            let program = try Program()
            defer { program.remove() }
            try program.write(#"[{"title": "Heat"}, {"title": "Alien"}]"#, to: "films.json")
            try await RunningPage.run { page in
                var tab = try page.open()
                for summary in [
                    "imported 2, updated 0, unchanged 0, rejected 0", "imported 0, updated 0, unchanged 2, rejected 0",
                ] {
                    let body = try JSONSerialization.data(withJSONObject: ["path": program.path("films.json")])
                    #expect(
                        try await page.send("POST", "/imports", String(decoding: body, as: UTF8.self)).status == 202)
                    let ended = try #require(
                        try await tab.next("imports") {
                            $0.object["state"] as? String == "done" && $0.object["summary"] as? String == summary
                        })
                    #expect(ended.object["percent"] as? Int == 100)
                }
            }
        }

        @Test("One import runs at a time; it can be stopped, and the batches before stay")
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
