#if Serve
    import Foundation

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// The stream of a tab without a browser: its events, one after another.
    struct TabStream {
        /// One event; its data is JSON.
        struct Event {
            let name: String
            let data: String

            var value: Any? { try? JSONSerialization.jsonObject(with: Data(data.utf8), options: .fragmentsAllowed) }
            var object: [String: Any] { value as? [String: Any] ?? [:] }
            var objects: [[String: Any]] { value as? [[String: Any]] ?? [] }
        }

        private let client = Client()
        private let task: URLSessionDataTask
        private var lines: AsyncThrowingStream<String, any Error>.Iterator

        init(_ url: URL) {
            let session = URLSession(configuration: .ephemeral, delegate: client, delegateQueue: nil)
            task = session.dataTask(with: url)
            lines = client.lines.makeAsyncIterator()
            task.resume()
            session.finishTasksAndInvalidate()
        }

        /// The next event; nil when the server has ended the stream.
        mutating func next() async throws -> Event? {
            var name = ""
            while let line = try await lines.next() {
                if line.hasPrefix("event: ") { name = String(line.dropFirst("event: ".count)) }
                if line.hasPrefix("data: ") { return Event(name: name, data: String(line.dropFirst("data: ".count))) }
            }
            return nil
        }

        /// The next event of a name that meets a condition; others are passed over.
        mutating func next(_ name: String, where condition: (Event) -> Bool = { _ in true }) async throws -> Event? {
            while let event = try await next() {
                if event.name == name && condition(event) { return event }
            }
            return nil
        }

        /// Goes, as a browser does whose tab is closed.
        func close() { task.cancel() }
    }

    /// Safe because URLSession calls it on one queue, one call after another.
    private final class Client: NSObject, URLSessionDataDelegate, @unchecked Sendable {
        let lines: AsyncThrowingStream<String, any Error>
        private let received: AsyncThrowingStream<String, any Error>.Continuation
        private var rest = Data()

        override init() {
            (lines, received) = AsyncThrowingStream.makeStream()
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            rest.append(data)
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                received.yield(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
                rest.removeSubrange(rest.startIndex...end)
            }
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            received.finish(throwing: error)
        }
    }
#endif
