import Foundation
import Hummingbird
import Logging
import ServiceLifecycle
import Signals

extension Response {
    /// The values of a signal as server-sent events, for as long as the client stays and the server runs.
    ///
    /// The live query ends with the response: a client that goes cancels the task, which ends the loop, which cancels
    /// the run. For a client that reads slowly one result waits, and of those that follow the latest.
    static func events<Value: Encodable & Sendable>(
        _ signal: Signal<Value, some Error>, while request: Request, _ logger: Logger
    ) -> Response {
        let body = ResponseBody { writer in
            do {
                try await request.body.consumeWithCancellationOnInboundClose { _ in
                    for try await value in signal.values(prefetch: 1).cancelOnGracefulShutdown() {
                        try await writer.write(try event(value))
                    }
                }
            } catch is CancellationError {
                return  // The client went.
            } catch {
                // The status has been sent: all that is left is to end the connection.
                logger.error("\(request.uri.path): \(error)")
                throw error
            }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"], body: body)
    }

    private static func event(_ value: some Encodable) throws -> ByteBuffer {
        var event = ByteBuffer(string: "data: ")
        // JSON of the encoder is one line, as an event's data has to be.
        event.writeBytes(try JSONEncoder().encode(value))
        event.writeString("\n\n")
        return event
    }
}
