import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The lines of a streamed response, one after another.
public struct ResponseLines {
    private let client = Client()
    private let task: URLSessionDataTask
    private var lines: AsyncThrowingStream<String, any Error>.Iterator

    /// Requests a URL.
    public init(_ url: URL) {
        let session = URLSession(configuration: .ephemeral, delegate: client, delegateQueue: nil)
        task = session.dataTask(with: url)
        lines = client.lines.makeAsyncIterator()
        task.resume()
        session.finishTasksAndInvalidate()
    }

    /// The next line; `nil` when the server has ended the response.
    public mutating func next() async throws -> String? { try await lines.next() }

    /// Disconnects, as a browser does when its window is closed.
    public func close() { task.cancel() }
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
