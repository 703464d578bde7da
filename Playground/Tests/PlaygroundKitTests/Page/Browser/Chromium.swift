#if Serve
    import Foundation
    import Synchronization
    import Testing

    /// A headless Chromium, controlled over a pipe by the DevTools protocol.
    ///
    /// It starts when a test first needs it, and ends when the tests' process closes its end of the pipe.
    final class Chromium: Sendable {
        static let shared = Result { try Chromium() }

        /// The path of the program; nil if it is not installed.
        static let path: String? = {
            let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            let names = ["chromium", "chromium-browser", "google-chrome"]
            let paths = names.flatMap { name in folders.map { "\($0)/\(name)" } }
            return paths.first { FileManager.default.isExecutableFile(atPath: $0) }
        }()

        struct Failure: Error, CustomStringConvertible {
            let description: String
        }

        private struct State {
            var count = 0
            var answers: [Int: CheckedContinuation<Data, any Error>] = [:]
            var listeners: [String: @Sendable (String, Data) -> Void] = [:]
            var isGone = false
        }

        private let shell: Shell
        private let state = Mutex(State())

        private init() throws {
            guard let path = Self.path else { throw Failure(description: "Chromium is not installed") }
            let folder = try temporaryFolder()
            let options = [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                "--no-proxy-server", "--disable-background-networking", "--disable-component-update",
                "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
                "--disable-backgrounding-occluded-windows",
                "--force-color-profile=srgb", "--user-data-dir='\(folder)'", "--remote-debugging-pipe",
            ]
            shell = try Shell(
                """
                '\(path)' \(options.joined(separator: " ")) about:blank 3<&0 4>&1 </dev/null >/dev/null 2>&1
                rm -rf '\(folder)'
                """)
            Thread.detachNewThread { [self] in read() }
        }

        /// Opens an empty tab.
        func open(width: Int = 1440, height: Int = 900) async throws -> BrowserTab {
            let blank: [String: Any] = ["url": "about:blank", "newWindow": true]
            let target = try await send("Target.createTarget", blank, as: CreatedTarget.self).targetId
            let attached = try await send(
                "Target.attachToTarget", ["targetId": target, "flatten": true], as: Attached.self)
            let tab = BrowserTab(browser: self, target: target, session: attached.sessionId)
            state.withLock { $0.listeners[attached.sessionId] = { [tab] in tab.hear($0, $1) } }
            try await tab.prepare(width: width, height: height)
            return tab
        }

        private struct CreatedTarget: Decodable { let targetId: String }
        private struct Attached: Decodable { let sessionId: String }

        /// Calls a method, and returns its result.
        func send<Result: Decodable>(
            _ method: String, _ parameters: [String: Any] = [:], to session: String? = nil, as type: Result.Type
        ) async throws -> Result {
            var message: [String: Any] = ["method": method, "params": parameters]
            message["sessionId"] = session
            let number = state.withLock { state in
                state.count += 1
                return state.count
            }
            message["id"] = number
            let bytes = try JSONSerialization.data(withJSONObject: message) + [0]
            let answer = try await withCheckedThrowingContinuation { continuation in
                let isGone = state.withLock { state in
                    if !state.isGone { state.answers[number] = continuation }
                    return state.isGone
                }
                if isGone { return continuation.resume(throwing: Failure(description: "Chromium has ended")) }
                write(bytes)
            }
            let decoded = try JSONDecoder().decode(Reply<Result>.self, from: answer)
            guard let result = decoded.result else {
                throw Failure(description: "\(method): \(decoded.error?.message ?? "no result")")
            }
            return result
        }

        private struct Reply<Result: Decodable>: Decodable {
            struct Problem: Decodable { let message: String }
            let result: Result?
            let error: Problem?
        }

        private struct Heading: Decodable {
            let id: Int?
            let method: String?
            let sessionId: String?
        }

        private func write(_ bytes: Data) {
            bytes.withUnsafeBytes { bytes in
                var rest = bytes[...]
                while !rest.isEmpty {
                    let length = Foundation.write(
                        shell.socket, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                    if length < 0 && errno == EINTR { continue }
                    guard length > 0 else { return }
                    rest = rest.dropFirst(length)
                }
            }
        }

        /// Reads messages, which end with a zero byte, until Chromium has ended.
        private func read() {
            var (rest, block) = (Data(), [UInt8](repeating: 0, count: 1 << 16))
            while true {
                let length = Foundation.read(shell.socket, &block, block.count)
                if length < 0 && errno == EINTR { continue }
                guard length > 0 else { break }
                rest.append(contentsOf: block[..<length])
                while let end = rest.firstIndex(of: 0) {
                    take(Data(rest[rest.startIndex..<end]))
                    rest.removeSubrange(rest.startIndex...end)
                }
            }
            let waiting = state.withLock { state in
                state.isGone = true
                defer { state.answers = [:] }
                return state.answers.values
            }
            for continuation in waiting { continuation.resume(throwing: Failure(description: "Chromium has ended")) }
        }

        private func take(_ message: Data) {
            guard let heading = try? JSONDecoder().decode(Heading.self, from: message) else { return }
            if let id = heading.id {
                state.withLock { $0.answers.removeValue(forKey: id) }?.resume(returning: message)
            } else if let session = heading.sessionId, let method = heading.method {
                state.withLock { $0.listeners[session] }?(method, message)
            }
        }
    }

    extension Trait where Self == ConditionTrait {
        /// Leaves a suite out if no browser is installed, and says so; `make check` installs one.
        static var needsBrowser: Self {
            .enabled("Chromium is not installed, so the tests of the page in a browser are left out.") {
                Chromium.path != nil
            }
        }
    }
#endif
