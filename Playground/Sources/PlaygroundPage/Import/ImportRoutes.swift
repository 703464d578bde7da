#if Serve
    import Foundation
    import Hummingbird
    import PlaygroundKit
    import Signals

    /// Begins imports, of files that are uploaded or named, and stops them.
    struct ImportRoutes: Sendable {
        let imports: ImportDesk
        /// Whether files of this machine may be named: whoever reaches the server could read them.
        let readsNamedFiles: Bool

        /// How many bytes an upload may have; a larger file can be named.
        static let largestUpload = 256 << 20

        func add(to router: Router<PageContext>) {
            router.group("imports")
                .post { request, context in try await importNamed(request, context) }
                .post("upload") { request, _ in try await importUpload(request) }
                .delete { _, _ in
                    imports.stop()
                    return Response(status: .noContent)
                }
        }

        private struct NamedFile: Decodable {
            let path: String
        }

        private func importNamed(_ request: Request, _ context: PageContext) async throws -> Response {
            guard readsNamedFiles else {
                throw HTTPError(
                    .forbidden, message: "Other machines reach this server, so it reads no files of this one.")
            }
            let path = try await request.decode(as: NamedFile.self, context: context).path
            guard path != "-" else { throw HTTPError(.badRequest, message: "The path names no file.") }
            return try await begin(path: path, name: path)
        }

        private func importUpload(_ request: Request) async throws -> Response {
            guard let name = request.uri.queryParameters["name"].map(String.init), !name.isEmpty else {
                throw HTTPError(.badRequest, message: "The name of the file is missing.")
            }
            let tooLarge = HTTPError(
                .contentTooLarge,
                message: "A file may have \(Self.largestUpload >> 20) MiB: name a larger one by its path.")
            if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > Self.largestUpload {
                throw tooLarge
            }
            let upload = try UploadedFile()
            var count = 0
            for try await part in request.body {
                count += part.readableBytes
                guard count <= Self.largestUpload else { throw tooLarge }
                try upload.append(part)
            }
            // Its name goes with the object; the import has it open by then.
            defer { withExtendedLifetime(upload) {} }
            return try await begin(path: upload.path, name: name)
        }

        private func begin(path: String, name: String) async throws -> Response {
            // It is read through first, which may take long.
            let input = try await Signal<FilmInput, PlaygroundError>.worked { () throws(PlaygroundError) in
                try FilmInput(path: path, calledAs: name)
            }.value()
            guard imports.begin(input, name: name) else {
                throw HTTPError(.conflict, message: "Another import is running: stop it, or wait for its end.")
            }
            return Response(status: .accepted)
        }
    }
#endif
