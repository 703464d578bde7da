#if Serve
    import Hummingbird
    import PlaygroundKit
    import SignalRepository

    /// Answers each failure with a status and a sentence.
    struct FailureAnswers: RouterMiddleware {
        func handle(
            _ request: Request, context: PageContext, next: (Request, PageContext) async throws -> Response
        ) async throws -> Response {
            do {
                return try await next(request, context)
            } catch {
                return try answer(error).response(from: request, context: context)
            }
        }

        private func answer(_ error: any Error) -> HTTPError {
            switch error {
            case let error as HTTPError where error.body != nil: error
            case let error as RepositoryError: answer(error)
            case let error as PlaygroundError: HTTPError(.unprocessableContent, message: sentence(error))
            case let error as any HTTPResponseError:
                switch error.status {
                case .notFound: HTTPError(.notFound, message: "There is nothing here: the page is at /.")
                case .contentTooLarge: HTTPError(.contentTooLarge, message: "The request is too large.")
                default: HTTPError(error.status, message: error.status.reasonPhrase)
                }
            default: HTTPError(.internalServerError, message: "The server could not do this.")
            }
        }

        private func answer(_ error: RepositoryError) -> HTTPError {
            switch error {
            case .bodyThrew(let cause), .rolledBack(let cause):
                if let thrown = cause.error as? HTTPError { return thrown }
            default: break
            }
            return HTTPError(status(of: error), message: sentence(PlaygroundError(error)))
        }

        private func status(of error: RepositoryError) -> HTTPResponse.Status {
            switch error {
            case .notFound: .notFound
            case .constraint, .conflict: .conflict
            case .encoding, .tooBig: .unprocessableContent
            case .busy, .closed, .ownedElsewhere: .serviceUnavailable
            default: .internalServerError
            }
        }

        private func sentence(_ error: PlaygroundError) -> String {
            let text = error.summary
            return text.hasSuffix(".") ? text : text + "."
        }
    }
#endif
