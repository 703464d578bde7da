import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A client of server-sent events, one event after another.
struct Events {
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

    /// The data of the next event; `nil` when the server has ended the response.
    mutating func next() async throws -> String? {
        while let line = try await lines.next() {
            if line.hasPrefix("data: ") { return String(line.dropFirst("data: ".count)) }
        }
        return nil
    }

    /// Goes, as a browser does whose window is closed.
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
