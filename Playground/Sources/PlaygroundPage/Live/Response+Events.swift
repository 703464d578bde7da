#if Serve
    import Hummingbird
    import ServiceLifecycle
    import Signals

    extension Response {
        /// The events of a signal, for as long as the tab is open and the server runs.
        ///
        /// The live queries end with the response: a tab that is closed cancels the task, which ends the loop, which
        /// cancels the run. A tab that reads slowly gets of each value the latest.
        static func events(_ events: Signal<PageEvent, Never>, while request: Request) -> Response {
            let body = ResponseBody { writer in
                // A browser that has lost the server asks again after so many milliseconds.
                try await writer.write(ByteBuffer(string: "retry: 500\n\n"))
                do {
                    try await request.body.consumeWithCancellationOnInboundClose { _ in
                        for await event in events.values(prefetch: 1).cancelOnGracefulShutdown() {
                            try await writer.write(event.bytes)
                        }
                    }
                } catch is CancellationError {
                    return  // The tab was closed.
                }
                try await writer.finish(nil)
            }
            return Response(
                status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"], body: body)
        }
    }
#endif
