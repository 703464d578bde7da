#if Serve
    import Foundation
    import SignalRepository
    import Testing

    @testable import PlaygroundKit
    @testable import PlaygroundPage

    // The look of the page, while it loads and afterwards.
    extension BrowserTests {
        private static let sizes = [(390, 844), (820, 1180), (1440, 900)]

        @Test(
            "Nothing moves while the page loads, and nothing is wider than the window, on a phone or a large screen")
        func shifts() async throws {
            try await RunningPage.run { page in
                try await page.add(Array(FilmGenerator(count: 500)))
                for (width, height) in Self.sizes {
                    let tab = try await browser.open(width: width, height: height)
                    for isDark in [false, true] {
                        try await tab.setDark(isDark)
                        // A busy browser may paint half a page. A movement that the values cause is seen every time.
                        var shifts = ""
                        for _ in 0..<3 where shifts != "[]" {
                            try await tab.go(to: page.base)
                            try await tab.wait("document.querySelectorAll('#bars li').length === 7")
                            try await tab.wait("document.querySelectorAll('#trail tr').length > 3")
                            try await tab.wait("document.querySelectorAll('#rows tr').length === 100")
                            try await tab.run(
                                "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
                            shifts = try await tab.value("globalThis.shifts")
                        }
                        #expect(shifts == "[]", "\(width)")
                        #expect(
                            try await tab.value("document.documentElement.scrollWidth <= \(width)") == "true",
                            "\(width)")
                        try await keep(tab.picture(), "\(width)-\(isDark ? "dark" : "light")")
                    }
                    #expect(tab.problems == [])
                    try await tab.close()
                }
            }
        }

        /// Keeps a picture in the folder that `PICTURES` names, if it does.
        private func keep(_ picture: Data, _ name: String) throws {
            #expect(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            guard let folder = ProcessInfo.processInfo.environment["PICTURES"] else { return }
            try picture.write(to: URL(fileURLWithPath: "\(folder)/\(name).png"))
        }

        @Test("Every control has a name, every table a header, and every field a label")
        func names() async throws {
            try await RunningPage.run { page in
                try await page.add([.made("Heat")])
                let tab = try await browser.open()
                try await tab.go(to: page.base)
                try await tab.wait("document.querySelectorAll('#rows tr').length === 1")
                let nameless = """
                    [...document.querySelectorAll('button, input, a, [role=region]')].filter((element) =>
                        !(element.labels?.length || element.textContent.trim() || element.getAttribute('aria-label')
                            || document.getElementById(element.getAttribute('aria-labelledby'))))
                        .map((element) => element.outerHTML)
                    """
                #expect(try await tab.value(nameless) == "[]")
                #expect(
                    try await tab.value("document.querySelectorAll('table thead th:not([scope=col])').length") == "0")
                #expect(try await tab.value("document.querySelectorAll('#rows tr > th[scope=row]').length") == "1")
                #expect(
                    try await tab.value("document.querySelector('[data-order=title]').getAttribute('aria-sort')")
                        == "\"ascending\"")
                try await tab.run("document.querySelector('[data-order=boxOffice] button').click()")
                #expect(
                    try await tab.value(
                        "[...document.querySelectorAll('[aria-sort]')].map((header) => header.dataset.order)")
                        == #"["boxOffice"]"#)
                try await tab.close()
            }
        }
    }
#endif
