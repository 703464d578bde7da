import Hummingbird
import SignalRepository

/// What a client is told of an error. What is not its fault stays in the server's log.
extension RepositoryError: @retroactive HTTPResponseError {
    /// The status that tells whose fault it is.
    public var status: HTTPResponse.Status {
        switch self {
        case .notFound: .notFound
        case .constraint, .conflict: .conflict
        case .encoding, .tooBig: .unprocessableContent
        case .busy, .closed, .ownedElsewhere: .serviceUnavailable
        case .bodyThrew, .rolledBack, .sourceFailed: thrownInside?.status ?? .internalServerError
        default: .internalServerError
        }
    }

    /// What was wrong with the request, or that something else was wrong.
    public func response(from request: Request, context: some RequestContext) throws -> Response {
        if let thrownInside { return try thrownInside.response(from: request, context: context) }
        guard status.kind == .clientError else {
            context.logger.error("\(request.method) \(request.uri.path): \(self)")
            return try .json(["error": ["message": "The server could not do this."]], status: status)
        }
        return try .json(["error": ["message": String(summary.prefix(300))]], status: status)
    }

    /// The program's own answer, thrown in a body, or by the source of an import.
    private var thrownInside: (any HTTPResponseError)? {
        switch self {
        case .bodyThrew(let cause), .rolledBack(let cause), .sourceFailed(_, let cause):
            cause.error as? any HTTPResponseError
        default: nil
        }
    }
}
