#if Serve
    import Foundation
    import Synchronization

    /// A tab of the browser.
    final class BrowserTab: Sendable {
        private let browser: Chromium
        private let target: String
        private let session: String
        private let complaints = Mutex<[String]>([])

        init(browser: Chromium, target: String, session: String) {
            (self.browser, self.target, self.session) = (browser, target, session)
        }

        /// The errors of this tab: exceptions of scripts, and errors in the log and on the console.
        var problems: [String] { complaints.withLock { $0 } }

        func prepare(width: Int, height: Int) async throws {
            for domain in ["Page", "Runtime", "Log"] { try await call("\(domain).enable") }
            // Otherwise a tab behind others draws nothing.
            try await call("Emulation.setFocusEmulationEnabled", ["enabled": true])
            try await resize(width: width, height: height)
            // Before the page's own script, so that no shift is missed.
            try await call(
                "Page.addScriptToEvaluateOnNewDocument",
                [
                    "source": """
                    globalThis.shifts = [];
                    new PerformanceObserver((list) => shifts.push(...list.getEntries().map((entry) =>
                        entry.sources.map(({ node }) => node?.id || node?.nodeName))))
                        .observe({ type: "layout-shift", buffered: true });
                    """
                ])
        }

        func resize(width: Int, height: Int) async throws {
            try await call(
                "Emulation.setDeviceMetricsOverride",
                ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false])
        }

        func setDark(_ isDark: Bool) async throws {
            let feature = ["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"]
            try await call("Emulation.setEmulatedMedia", ["features": [feature]])
        }

        /// Goes to a page, and waits until it is loaded.
        func go(to url: URL) async throws {
            try await call("Page.navigate", ["url": url.absoluteString])
            try await wait("document.readyState === 'complete' && location.href.startsWith('\(url.absoluteString)')")
        }

        /// Waits until an expression is true, even if the page is replaced in between.
        func wait(_ expression: String) async throws {
            let script = """
                new Promise((done) => {
                    const look = () => (\(expression)) ? done(true) : setTimeout(look, 10);
                    look();
                })
                """
            while true {
                do {
                    guard try await value(script) == "true" else { continue }
                    return
                } catch let failure as Chromium.Failure where failure.description.contains("context") {
                    // Another page has just replaced this one.
                    await Task.yield()
                }
            }
        }

        /// Runs a script in the page.
        func run(_ script: String) async throws {
            _ = try await value("(async () => { await (\(script)); return null })()")
        }

        /// The value of an expression, as JSON.
        func value(_ expression: String) async throws -> String {
            let parameters: [String: Any] = [
                "expression": "Promise.resolve(\(expression)).then((value) => JSON.stringify(value ?? null))",
                "awaitPromise": true, "returnByValue": true, "userGesture": true,
            ]
            let evaluation = try await browser.send("Runtime.evaluate", parameters, to: session, as: Evaluation.self)
            if let problem = evaluation.exceptionDetails {
                throw Chromium.Failure(description: problem.exception?.description ?? problem.text)
            }
            return evaluation.result.value ?? "null"
        }

        /// Types a text where the focus is, as a person does.
        func type(_ text: String) async throws { try await call("Input.insertText", ["text": text]) }

        /// Presses and releases a key.
        func press(_ key: String, code: Int) async throws {
            for kind in ["keyDown", "keyUp"] {
                var event: [String: Any] = [
                    "type": kind, "key": key, "code": key == " " ? "Space" : key, "windowsVirtualKeyCode": code,
                ]
                if kind == "keyDown", key == "Enter" { event["text"] = "\r" }
                try await call("Input.dispatchKeyEvent", event)
            }
        }

        /// Chooses a file in an input.
        func choose(_ path: String, in selector: String) async throws {
            let parameters = ["expression": "document.querySelector('\(selector)')"]
            let found = try await browser.send("Runtime.evaluate", parameters, to: session, as: Evaluation.self)
            try await call("DOM.setFileInputFiles", ["files": [path], "objectId": found.result.objectId ?? ""])
        }

        /// A screenshot of the tab, as PNG.
        func picture() async throws -> Data {
            let picture = try await browser.send(
                "Page.captureScreenshot", ["format": "png"], to: session, as: Picture.self)
            return Data(base64Encoded: picture.data) ?? Data()
        }

        func close() async throws {
            _ = try await browser.send("Target.closeTarget", ["targetId": target], as: Nothing.self)
        }

        func hear(_ method: String, _ message: Data) {
            guard let heard = try? JSONDecoder().decode(Heard.self, from: message) else { return }
            let text: String? =
                switch method {
                case "Runtime.exceptionThrown":
                    heard.params.exceptionDetails.map { $0.exception?.description ?? $0.text }
                case "Log.entryAdded":
                    heard.params.entry.flatMap { $0.level == "error" ? "\($0.text) \($0.url ?? "")" : nil }
                case "Runtime.consoleAPICalled":
                    heard.params.type == "error" ? "console.error" : nil
                default: nil
                }
            guard let text else { return }
            complaints.withLock { $0.append(text) }
        }

        private func call(_ method: String, _ parameters: [String: Any] = [:]) async throws {
            _ = try await browser.send(method, parameters, to: session, as: Nothing.self)
        }

        private struct Nothing: Decodable {}
        private struct Picture: Decodable { let data: String }

        private struct Evaluation: Decodable {
            struct Value: Decodable {
                let value: String?
                let objectId: String?
            }
            let result: Value
            let exceptionDetails: Problem?
        }

        private struct Problem: Decodable {
            struct Exception: Decodable { let description: String? }
            let text: String
            let exception: Exception?
        }

        private struct Heard: Decodable {
            struct Entry: Decodable {
                let level: String
                let text: String
                let url: String?
            }
            struct Parameters: Decodable {
                let type: String?
                let entry: Entry?
                let exceptionDetails: Problem?
            }
            let params: Parameters
        }
    }
#endif
