import Dispatch
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Signals
import Synchronization

/// The open streams of server-sent events of a server, with a limit on their number.
public final class EventStreams: Sendable {
    private let most: Int
    private let count = Mutex(0)

    /// Allows as many streams as the server's limits, but at most half as many as connections.
    public init(_ limits: ServerLimits) {
        most = min(limits.streams, max(1, OpenConnections.allowed(limits.connections) / 2))
    }

    /// Returns a response that sends the values of a signal until the client disconnects or the server shuts down.
    ///
    /// The live query ends with the response: a client that disconnects cancels the task, which ends the loop and
    /// cancels the run. For a client that reads slowly one value waits, and the latest of those that follow. A comment
    /// every 15 seconds shows that the connection is alive.
    public func response<Value: Sendable, Failure: Error>(
        _ values: Signal<Value, Failure>, to request: Request, _ logger: Logger,
        event: @escaping @Sendable (Value) throws -> ByteBuffer
    ) throws(HTTPError) -> Response {
        let place = try Place(self)
        let pulse = Signal<Int, Never>.interval(.seconds(15), on: DispatchQueue.global())
            .map { _ in nil as Value? }.setFailureType(to: Failure.self)
        let beats = Signal.merge(values.map { Optional($0) }, pulse)
        let body = ResponseBody { writer in
            defer { withExtendedLifetime(place) {} }
            do {
                try await request.body.consumeWithCancellationOnInboundClose { _ in
                    for try await value in beats.values(prefetch: 1).cancelOnGracefulShutdown() {
                        try await writer.write(try value.map(event) ?? ByteBuffer(string: ": idle\n\n"))
                    }
                }
            } catch is CancellationError {
                return  // The client has disconnected.
            } catch ChannelError.ioOnClosedChannel {
                return  // Likewise.
            } catch {
                // The status was already sent, so the error can only end the connection.
                logger.error("\(request.uri.path): \(error)")
                throw error
            }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"], body: body)
    }

    /// One of the allowed streams, taken while the object lives: a response may be dropped before its body begins.
    private final class Place: Sendable {
        private let streams: EventStreams

        init(_ streams: EventStreams) throws(HTTPError) {
            let isFree = streams.count.withLock { count in
                guard count < streams.most else { return false }
                count += 1
                return true
            }
            guard isFree else {
                throw HTTPError(
                    .serviceUnavailable, headers: [.retryAfter: "5", .connection: "close"],
                    message: "The server has too many open streams: try again later.")
            }
            self.streams = streams
        }

        deinit { streams.count.withLock { $0 -= 1 } }
    }
}
