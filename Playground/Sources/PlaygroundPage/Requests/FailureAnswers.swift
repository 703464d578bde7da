#if Serve
    import Hummingbird
    import NIOCore
    import NIOHTTP1
    import PlaygroundKit
    import SignalRepository

    /// Answers each failure with a status and a sentence.
    ///
    /// Only the terminal shows the details of a failure of the server.
    struct FailureAnswers: RouterMiddleware {
        func handle(
            _ request: Request, context: PageContext, next: (Request, PageContext) async throws -> Response
        ) async throws -> Response {
            do {
                return try await next(request, context)
            } catch {
                var answer = answer(error)
                if answer.status == .internalServerError {
                    context.logger.critical("\(request.method) \(request.uri.path.prefix(100)): \(error)")
                }
                answer.body = answer.body.map { String($0.unicodeScalars.prefix(Self.longest)) }
                return try answer.response(from: request, context: context)
            }
        }

        /// The largest number of characters of a sentence, which may quote a request.
        private static let longest = 400

        private func answer(_ error: any Error) -> HTTPError {
            switch error {
            case let error as HTTPError where error.body != nil: error
            case let error as RepositoryError: answer(error)
            case let error as PlaygroundError: HTTPError(.unprocessableContent, message: Self.ended(error.summary))
            case is HTTPParserError: HTTPError(.badRequest, message: "This is not HTTP.")
            // The connection is broken, so nobody reads this answer.
            case is CancellationError, is IOError, is ChannelError:
                HTTPError(.badRequest, message: "The request broke off.")
            case let error as any HTTPResponseError:
                switch error.status {
                case .notFound: HTTPError(.notFound, message: "There is nothing here: the page is at /.")
                case .contentTooLarge: HTTPError(.contentTooLarge, message: "The request is too large.")
                default: HTTPError(error.status, message: error.status.reasonPhrase)
                }
            default: HTTPError(.internalServerError, message: Self.failed)
            }
        }

        private func answer(_ error: RepositoryError) -> HTTPError {
            switch error {
            case .bodyThrew(let cause), .rolledBack(let cause):
                if let thrown = cause.error as? HTTPError { return thrown }
            default: break
            }
            return HTTPError(Self.status(of: error), message: Self.sentence(error))
        }

        private static let failed = "The server could not do this."

        /// The sentence for a person at the page, which says nothing about the server itself.
        static func sentence(_ error: RepositoryError) -> String {
            if case .overflow = error { return "A sum is too large." }
            return status(of: error).kind == .clientError ? ended(PlaygroundError(error).summary) : failed
        }

        private static func status(of error: RepositoryError) -> HTTPResponse.Status {
            switch error {
            case .notFound: .notFound
            case .constraint, .conflict: .conflict
            case .encoding, .tooBig: .unprocessableContent
            case .busy, .closed, .ownedElsewhere: .serviceUnavailable
            default: .internalServerError
            }
        }

        private static func ended(_ text: String) -> String { text.hasSuffix(".") ? text : text + "." }
    }
#endif
