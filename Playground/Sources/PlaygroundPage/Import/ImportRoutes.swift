#if Serve
    import Foundation
    import Hummingbird
    import PlaygroundKit
    import Signals

    /// Starts imports of uploaded files, and stops them.
    ///
    /// A request sends the contents of a file; it cannot name a file on this machine.
    struct ImportRoutes: Sendable {
        let imports: ImportDesk

        /// How many bytes an upload may have.
        static let largestUpload = 256 << 20

        func add(to router: Router<PageContext>) {
            router.group("imports")
                .post("upload") { request, _ in try await importUpload(request) }
                .delete { _, _ in
                    imports.stop()
                    return Response(status: .noContent)
                }
        }

        private func importUpload(_ request: Request) async throws -> Response {
            guard let name = request.uri.queryParameters["name"].map(String.init), !name.isEmpty else {
                throw HTTPError(.badRequest, message: "The name of the file is missing.")
            }
            guard name.utf8.count <= 200 else {
                throw HTTPError(.badRequest, message: "The name of the file has more than 200 bytes.")
            }
            if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > Self.largestUpload {
                throw Self.tooLarge
            }
            // Reserved before the body arrives, so that no file is received while another import runs.
            guard let run = imports.enter(name: name) else {
                throw HTTPError(.conflict, message: "Another import is running: stop it, or wait for its end.")
            }
            do {
                let file = try await run.receive { try await Self.receive(request.body) }
                // The check reads the whole file, which may take long.
                let input = try await Signal<FilmInput, PlaygroundError>.worked { () throws(PlaygroundError) in
                    try FilmInput(file, calledAs: name)
                }.value()
                imports.begin(run, input)
            } catch {
                let sentence = (error as? PlaygroundError)?.summary ?? (error as? HTTPError)?.body
                imports.leave(run, because: sentence ?? "its upload broke off")
                throw run.isStopped ? Self.stopped : error
            }
            return Response(status: .accepted)
        }

        private static let tooLarge = HTTPError(
            .contentTooLarge, message: "A file may have \(largestUpload >> 20) MiB: split it, or use playground import."
        )

        private static let stopped = HTTPError(
            .conflict, headers: [.connection: "close"], message: "The import was stopped.")

        private static func receive(_ body: RequestBody) async throws -> OpenFile {
            let file = try OpenFile.temporary()
            var count = 0
            for try await part in body {
                count += part.readableBytes
                guard count <= largestUpload else { throw tooLarge }
                try file.append(Array(buffer: part)[...])
            }
            try Task.checkCancellation()
            return file
        }
    }
#endif
