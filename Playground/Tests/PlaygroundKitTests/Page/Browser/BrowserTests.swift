#if Serve
    import Foundation
    import SignalRepository
    import Testing

    @testable import PlaygroundKit
    @testable import PlaygroundPage

    /// The tests run one after another, because a browser has one window in front.
    @Suite("The page in a browser", .needsBrowser, .serialized, .timeLimit(.minutes(3)))
    struct BrowserTests {
        let browser: Chromium

        init() throws { browser = try Chromium.shared.get() }

        /// Serves a page, opens it in `count` tabs, and expects no errors in any of them.
        private func open(
            _ films: [Film] = [], tabs count: Int = 1, _ body: (RunningPage, [BrowserTab]) async throws -> Void
        ) async throws {
            try await RunningPage.run { page in
                try await page.add(films)
                var tabs: [BrowserTab] = []
                for _ in 0..<count {
                    let tab = try await browser.open()
                    try await tab.go(to: page.base)
                    try await tab.wait("document.querySelector('#count').textContent === '\(films.count)'")
                    tabs.append(tab)
                }
                try await body(page, tabs)
                for tab in tabs {
                    #expect(tab.problems == [])
                    try await tab.close()
                }
            }
        }

        private static let titles =
            "[...document.querySelectorAll('#rows th')].map((cell) => cell.firstChild.textContent)"

        @Test("A second tab shows the films that the first one imports")
        func imported() async throws {
            let program = try Program()
            defer { program.remove() }
            try program.write("title,boxOffice,studio\nHeat,187,Warner\nAlien,104,Fox\n,1,None\n", to: "films.csv")
            try await open(tabs: 2) { _, tabs in
                try await tabs[0].choose(program.path("films.csv"), in: "#upload")
                try await tabs[0].run("document.querySelector('#upload-form button').click()")
                for tab in tabs {
                    try await tab.wait(
                        "document.querySelector('#import-text').textContent.startsWith('Imported films.csv')")
                    try await tab.wait("document.querySelectorAll('#rows tr').length === 2")
                    #expect(try await tab.value(Self.titles) == #"["Alien","Heat"]"#)
                    try await tab.wait("document.querySelector('#sum').textContent === '291'")
                    try await tab.wait("document.querySelectorAll('#bars li').length === 2")
                    #expect(
                        try await tab.value("document.querySelector('#bars .name').textContent") == "\"Warner (1)\"")
                    #expect(
                        try await tab.value("document.querySelector('#rejects').textContent")
                            == "\"Rejected line 4: the title is missing\"")
                }
            }
        }

        @Test("A tab that is closed frees its queries")
        func closed() async throws {
            try await open([.made("Heat")]) { page, _ in
                let other = try await browser.open()
                try await other.go(to: page.base)
                while page.repository.statistics.subscriptions < 8 { await Task.yield() }
                try await other.close()
                while page.repository.statistics.subscriptions > 4 { await Task.yield() }
            }
        }

        @Test(
            "When the server ends, the page says so, and it continues without a reload when a server is back")
        func restarted() async throws {
            let program = try Program()
            defer { program.remove() }
            func store() throws -> SQLiteRepository {
                try SQLiteRepository(.file(program.path("films.sqlite")), entities: Film.self)
            }
            let tab = try await browser.open()
            var port = 0
            let first = try store()
            try await RunningPage.run(first) { page in
                port = try #require(page.base.port)
                try await page.add([.made("Heat")])
                try await tab.go(to: page.base)
                try await tab.wait("document.querySelectorAll('#rows tr').length === 1")
                try await tab.run("globalThis.isSame = true")
            }
            await first.close().value()
            try await tab.wait("document.querySelector('#connection').dataset.state === 'lost'")
            #expect(
                try await tab.value("document.querySelector('#connection').textContent")
                    == "\"The server is not there: trying again\"")
            let second = try store()
            try await second.create(Film.made("Alien")).value()
            try await RunningPage.run(second, again: port) { page in
                try await tab.wait("document.querySelector('#connection').dataset.state === 'live'")
                try await tab.wait("document.querySelectorAll('#rows tr').length === 2")
                try await page.add([.made("Brazil")])
                try await tab.wait("document.querySelectorAll('#rows tr').length === 3")
                #expect(try await tab.value(Self.titles) == #"["Alien","Brazil","Heat"]"#)
                #expect(try await tab.value("globalThis.isSame") == "true")
                try await tab.close()
            }
            await second.close().value()
        }

        @Test("A search marks its words, as they are typed")
        func search() async throws {
            let titles = ["The Land Girls", "Landscape in the Mist", "Girls of the Highland", "Heat"]
            try await open(titles.map { .made($0) }) { page, tabs in
                try await tabs[0].run("document.querySelector('#search').focus()")
                try await tabs[0].type("land GIRL")
                try await tabs[0].wait("document.querySelector('#found').textContent === '2 films found'")
                try await tabs[0].wait("document.querySelectorAll('#rows tr').length === 2")
                #expect(
                    try await tabs[0].value(
                        "[...document.querySelectorAll('#rows th')].map((cell) => cell.innerHTML.split('<span')[0])")
                        == #"["<mark>Girl</mark>s of the High<mark>land</mark>","#
                        + #""The <mark>Land</mark> <mark>Girl</mark>s"]"#
                )
                try await page.add([.made("Girl from Iceland")])
                try await tabs[0].wait("document.querySelector('#found').textContent === '3 films found'")
                try await tabs[0].wait("document.querySelector('#announcement').textContent === '3 films found'")
            }
        }

        @Test(
            "W18 A link whose search is too long is refused once, and a shorter search works",
            arguments: [Array(repeating: "x", count: 17).joined(separator: "%20"), String(repeating: "x", count: 201)])
        func longSearch(search: String) async throws {
            try await RunningPage.run { page in
                try await page.add([.made("Heat")])
                let tab = try await browser.open()
                try await tab.go(to: try page.url("/?search=\(search)"))
                try await tab.wait("document.querySelector('#connection').dataset.state === 'refused'")
                #expect(
                    try await tab.value("document.querySelector('#connection').textContent")
                        == "\"search has at most 16 words and 200 bytes.\"")
                // It requested the stream, and then the reason why the stream was refused.
                let asked = "performance.getEntriesByType('resource').map(({ name }) => name)"
                #expect(try await tab.value("\(asked).filter((name) => name.includes('/events')).length") == "2")
                try await tab.run("document.querySelector('#search').value = 'heat'")
                try await tab.run("document.querySelector('#search-form').requestSubmit()")
                try await tab.wait("document.querySelector('#connection').dataset.state === 'live'")
                try await tab.wait("document.querySelectorAll('#rows tr').length === 1")
                try await tab.close()
            }
        }

        @Test("A hostile title does no harm")
        func hostileTitles() async throws {
            let titles = [
                "<script>globalThis.isHarmed = true</script>", "<img src=x onerror='globalThis.isHarmed = true'>",
                "\"onmouseover=\"globalThis.isHarmed=true", "&lt;b&gt; ${1} </td>",
            ]
            let films = titles.map { Film.made($0, nil, 1, $0) }
            try await open(films) { _, tabs in
                try await tabs[0].wait("document.querySelectorAll('#rows tr').length === 4")
                try await tabs[0].wait("document.querySelectorAll('#bars li').length === 4")
                let shown = try await tabs[0].value(Self.titles)
                let decoded = try JSONDecoder().decode([String].self, from: Data(shown.utf8))
                #expect(decoded.sorted() == titles.sorted())
                #expect(try await tabs[0].value("globalThis.isHarmed ?? false") == "false")
                #expect(try await tabs[0].value("document.querySelectorAll('main img, main script').length") == "0")
            }
        }

        @Test("A film is edited and deleted by the keyboard, and the focus stays where it was")
        func keyboard() async throws {
            try await open([.made("Alien"), .made("Brazil"), .made("Heat", nil, 5, "Warner")], tabs: 2) { page, tabs in
                let tab = tabs[0]
                try await tab.wait("document.querySelectorAll('#rows tr').length === 3")
                try await tab.run("document.querySelectorAll('#rows .edit')[1].focus()")
                try await tab.press("Enter", code: 13)
                try await tab.wait("document.querySelector('#edit').open")
                try await tab.run("document.querySelector('#edit-studio').focus()")
                try await tab.type("Universal")
                // In the meantime, another client changes the same film.
                #expect(try await page.send("PATCH", "/films", #"{"id": "- Brazil", "boxOffice": "9"}"#).status == 200)
                try await tab.press("Enter", code: 13)
                for other in tabs {
                    try await other.wait(
                        "[...document.querySelectorAll('#rows tr')[1].cells].map((cell) => cell.innerText)"
                            + ".join().includes('9,Universal')")
                }
                let focus = "document.activeElement.getAttribute('aria-label')"
                #expect(try await tab.value(focus) == "\"Edit Brazil\"")
                // Rows are in the order of titles: the new studio moved none, a new title moves this one.
                #expect(try await page.send("PATCH", "/films", #"{"id": "- Alien", "title": "Zodiac"}"#).status == 200)
                try await tab.wait("document.querySelectorAll('#rows tr')[0].innerText.includes('Brazil')")
                #expect(try await tab.value(focus) == "\"Edit Brazil\"")
                try await tab.run("document.querySelectorAll('#rows .delete')[0].focus()")
                try await tab.press("Enter", code: 13)
                try await tab.wait("document.querySelector('#delete').open")
                try await tab.run("document.querySelector('#delete-form [type=submit]').focus()")
                try await tab.press("Enter", code: 13)
                for other in tabs { try await other.wait("document.querySelectorAll('#rows tr').length === 2") }
                #expect(try await tab.value(Self.titles) == #"["Heat","Zodiac"]"#)
                try await tab.wait("\(focus) === 'Delete Heat'")
            }
        }

        @Test("A film that cannot be stored is reported in the form, which stays open")
        func refusal() async throws {
            let tab = try await browser.open()
            try await RunningPage.run { page in
                try await tab.go(to: page.base)
                try await tab.run("document.querySelector('#add').click()")
                try await tab.run("document.querySelector('#edit-film-title').value = 'Heat'")
                try await tab.run("document.querySelector('#edit-amount').value = 'much'")
                try await tab.run("document.querySelector('#edit-form [type=submit]').click()")
                try await tab.wait(
                    "document.querySelector('#edit-form .problem').textContent.includes('is not an amount')")
                #expect(try await tab.value("document.querySelector('#edit').open") == "true")
                try await tab.run("document.querySelector('#edit-amount').value = '12.5'")
                try await tab.run("document.querySelector('#edit-form [type=submit]').click()")
                try await tab.wait("!document.querySelector('#edit').open")
                try await tab.wait("document.querySelector('#sum').textContent === '12.5'")
                try await tab.close()
            }
        }
    }
#endif
