#if Serve
    import Foundation
    import ServingTesting
    import SignalRepository
    import Testing

    @testable import PlaygroundKit
    @testable import PlaygroundPage

    @Suite("Requests that the page's server refuses", .timeLimit(.minutes(2)))
    struct PageRefusalTests {
        /// Sends each request, and expects its status, its message, and an unchanged store.
        private func refuse(_ requests: [(method: String, path: String, body: String?, status: Int, says: String)])
            async throws
        {
            try await RunningPage.run { page in
                try await page.add([.made("Heat", "1995-12-15", 187), .made("Alien")])
                let before = try await page.repository.fetch(Film.all).value()
                for request in requests {
                    let answer = try await page.send(request.method, request.path, request.body)
                    #expect(answer.status == request.status, "\(request)")
                    #expect(answer.message?.contains(request.says) == true, "\(request): \(answer.body)")
                }
                #expect(try await page.repository.fetch(Film.all).value() == before)
            }
        }

        @Test("Bodies that are not films")
        func bodies() async throws {
            let heat = "1995-12-15 Heat"
            try await refuse([
                ("POST", "/films", "{\"title\": ", 400, "not valid JSON"),
                ("POST", "/films", "[]", 400, "Type mismatch"),
                ("POST", "/films", "{\"title\": 7}", 400, "title"),
                ("POST", "/films", "{\"titel\": \"A\"}", 400, "titel is not one of id, title"),
                ("POST", "/films", "{}", 422, "the title is missing"),
                ("POST", "/films", "{\"title\": \" \"}", 422, "the title is missing"),
                ("POST", "/films", "{\"title\": \"A\", \"releaseDate\": \"soon\"}", 422, "is not a date"),
                ("POST", "/films", "{\"title\": \"A\", \"boxOffice\": \"much\"}", 422, "is not an amount"),
                ("POST", "/films", "{\"title\": \"A\", \"boxOffice\": \"0.00001\"}", 422, "cannot be stored exactly"),
                ("POST", "/films", "{\"title\": \"Alien\"}", 409, "There is a film of this title and date already."),
                ("PATCH", "/films", "{\"title\": \"A\"}", 400, "The id of the film is missing."),
                ("PATCH", "/films", "{\"id\": \"no\", \"title\": \"A\"}", 404, "no"),
                ("PATCH", "/films", "{\"id\": \"\(heat)\", \"title\": null}", 422, "the title is missing"),
                (
                    "PATCH", "/films", "{\"id\": \"\(heat)\", \"title\": \"Alien\", \"releaseDate\": null}", 409,
                    "already"
                ),
                ("DELETE", "/films", "{\"id\": \"no\"}", 404, "no"),
                ("DELETE", "/films", "{}", 400, "The id of the film is missing."),
                ("POST", "/films", "{\"title\": \"\(String(repeating: "x", count: 1_001))\"}", 422, "1000 bytes"),
                ("POST", "/films", "{\"title\": \"\(String(repeating: "x", count: 100_000))\"}", 413, "too large"),
            ])
        }

        @Test("Paths, queries and files that do not exist")
        func paths() async throws {
            try await refuse([
                ("GET", "/nothing", nil, 404, "the page is at /"),
                ("GET", "/../Package.swift", nil, 404, "the page is at /"),
                ("GET", "/events?order=no", nil, 400, "order is one of title"),
                ("GET", "/events?rows=0", nil, 400, "rows is a number"),
                ("GET", "/events?rows=1000000", nil, 400, "rows is a number"),
                ("GET", "/events?descending=maybe", nil, 400, "true or false"),
                ("GET", "/events?search=" + String(repeating: "x", count: 300), nil, 400, "200 bytes"),
                ("GET", "/events?search=" + String(repeating: "x%20", count: 30), nil, 400, "16 words"),
                ("POST", "/imports", "{\"path\": \"films.csv\"}", 404, "the page is at /"),
                ("POST", "/imports/upload", "x", 400, "The name of the file is missing."),
                ("POST", "/imports/upload?name=" + String(repeating: "x", count: 201), "x", 400, "200 bytes"),
                ("POST", "/imports/upload?name=films.txt", "x", 422, "the format of films.txt is not known"),
                ("POST", "/imports/upload?name=a.csv", "name\nHeat\n", 422, "a.csv"),
                ("POST", "/imports/upload?name=a.json", "[{\"title\": ", 422, "a.json"),
            ])
        }

        @Test("Requests of other sites, which a browser marks by their headers")
        func origins() async throws {
            try await RunningPage.run { page in
                let port = try #require(page.base.port)
                let own = "http://127.0.0.1:\(port)"
                let film = #"{"title": "Heat"}"#
                let headers: [([String: String], Int)] = [
                    (["Origin": "http://example.org"], 403), (["Origin": "null"], 403),
                    (["Origin": "http://127.0.0.1:1"], 403), (["Origin": "https://127.0.0.1:\(port)"], 403),
                    (["Sec-Fetch-Site": "cross-site"], 403), (["Sec-Fetch-Site": "same-site"], 403),
                    (["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"], 403),
                    (["Content-Type": "text/plain"], 415), (["Content-Type": "application/x-www-form-urlencoded"], 415),
                    (["Host": "films.example.org"], 421), (["Host": "127.0.0.1.example.org:\(port)"], 421),
                ]
                for (header, status) in headers {
                    let answer = try await page.send("POST", "/films", film, headers: header)
                    #expect(
                        answer.status == status && answer.message != nil, "\(header): \(answer.status) \(answer.body)")
                    if header["Content-Type"] != nil { continue }
                    let stream = header["Sec-Fetch-Mode"] == nil ? status : 200
                    guard stream != 200 else { continue }
                    #expect(try await page.send("GET", "/events", headers: header).status == stream, "\(header)")
                }
                #expect(try await page.repository.count(Film.self).value() == 0)
                #expect(page.repository.statistics.subscriptions == 0)
                let mine = [
                    "Origin": own, "Sec-Fetch-Site": "same-origin", "Content-Type": "Application/JSON; charset=utf-8",
                ]
                #expect(try await page.send("POST", "/films", film, headers: mine).status == 201)
                let link = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"]
                #expect(try await page.send("GET", "/", headers: link).status == 200)
            }
        }

        @Test("Other sites are refused, and other requests are not, even if other machines reach the server")
        func everywhere() async throws {
            try await RunningPage.run(host: "0.0.0.0") { page in
                let film = #"{"title": "Heat"}"#
                let evil = ["Host": "evil.example"]
                let refused = try await page.send("POST", "/films", film, headers: evil)
                let made = try await page.send("POST", "/films", film)
                #expect(refused.status == 421 && made.status == 201)
            }
        }

        @Test("W14 An encoded Host header, and a second one")
        func hosts() async throws {
            try await RunningPage.run { page in
                let film = #"{"title": "Heat"}"#
                for (hosts, status) in [
                    ("Host: 127.0.0.1\r\nHost: evil.example", "400"), ("Host: %6cocalhost", "421"),
                    ("Host: 127.0.0.1%00.evil.example", "421"), ("Host: ⅼocalhost", "421"),
                ] {
                    let client = try RawConnection(port: try #require(page.base.port))
                    client.send(
                        "POST /films HTTP/1.1\r\n\(hosts)\r\nContent-Type: application/json\r\nContent-Length: "
                            + "\(film.utf8.count)\r\n\r\n\(film)")
                    let answer = await client.received(until: "\r\n")
                    #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(hosts): \(answer)")
                }
                #expect(try await page.repository.count(Film.self).value() == 0)
            }
        }

        @Test("W15 A refusal quotes little of the request, and nothing of the server")
        func short() async throws {
            try await RunningPage.run { page in
                let long = String(repeating: "x", count: 60_000)
                for (method, path, body, status) in [
                    ("PATCH", "/films", "{\"id\": \"\(long)\", \"title\": \"A\"}", 404),
                    ("POST", "/films", "{\"\(long)\": \"A\"}", 400),
                    ("POST", "/imports/upload?name=a.csv", "\(long),\(long)\nA,B\n", 422),
                    ("POST", "/imports/upload?name=a.csv", "title,title\nA,B\n", 422),
                    ("POST", "/imports/upload?name=a.json", "{\"\(long)", 422),
                ] {
                    let answer = try await page.send(method, path, body)
                    #expect(answer.status == status && answer.body.utf8.count < 600, "\(answer.body.prefix(600))")
                }
                await page.repository.close().value()
                let answer = try await page.send("POST", "/films", #"{"title": "A"}"#)
                #expect(answer.status == 503 && answer.message == "The server could not do this.")
            }
        }

        @Test("W15 A body with too many trailers is not valid HTTP")
        func trailers() async throws {
            try await RunningPage.run { page in
                let client = try RawConnection(port: try #require(page.base.port))
                client.send(
                    "POST /films HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n0\r\n"
                        + (0..<2_000).map { "a\($0): b\r\n" }.joined() + "\r\n")
                #expect(await client.received(until: "\r\n").hasPrefix("HTTP/1.1 400"))
            }
        }

        @Test("The page runs no script but its own")
        func policy() async throws {
            try await RunningPage.run { page in
                for (path, type) in [("/", "text/html"), ("/page.css", "text/css"), ("/page.js", "text/javascript")] {
                    let answer = try await page.send("GET", path)
                    #expect(answer.status == 200 && answer.body.count > 1000)
                    let header = { answer.response.value(forHTTPHeaderField: $0) ?? "" }
                    #expect(header("Content-Type") == "\(type); charset=utf-8")
                    #expect(header("Content-Security-Policy").hasPrefix("default-src 'none'; script-src 'self';"))
                    #expect(header("X-Content-Type-Options") == "nosniff")
                }
            }
        }

        @Test("A film may have any title, and is found by it again")
        func anyTitle() async throws {
            try await RunningPage.run { page in
                for title in ["<script>alert(1)</script>", "a/b?c=d&e#f%20\"'\\", "line\nbreak", "\u{202E}\u{0}é 🎬"] {
                    let film = try JSONSerialization.data(withJSONObject: ["title": title])
                    #expect(try await page.send("POST", "/films", String(decoding: film, as: UTF8.self)).status == 201)
                    let stored = try #require(try await page.repository.first(Film.all).value())
                    let id = try JSONSerialization.data(withJSONObject: ["id": stored.id])
                    #expect(stored.title == title)
                    #expect(try await page.send("DELETE", "/films", String(decoding: id, as: UTF8.self)).status == 204)
                }
            }
        }
    }
#endif
