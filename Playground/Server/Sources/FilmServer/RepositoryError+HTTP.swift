import Hummingbird
import SignalRepository

/// The response to an error.
///
/// The details of an error that is not the client's fault stay in the server's log.
extension RepositoryError: @retroactive HTTPResponseError {
    /// The status, which shows whether the error is the client's fault.
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

    /// Returns what was wrong with the request, or only that the server failed.
    public func response(from request: Request, context: some RequestContext) throws -> Response {
        if let thrownInside { return try thrownInside.response(from: request, context: context) }
        guard status.kind == .clientError else {
            context.logger.error("\(request.method) \(request.uri.path): \(self)")
            return try .json(["error": ["message": "The server could not do this."]], status: status)
        }
        return try .json(["error": ["message": String(summary.prefix(300))]], status: status)
    }

    /// The program's own response, thrown in the body of a transaction or by the source of an import.
    private var thrownInside: (any HTTPResponseError)? {
        switch self {
        case .bodyThrew(let cause), .rolledBack(let cause), .sourceFailed(_, let cause):
            cause.error as? any HTTPResponseError
        default: nil
        }
    }
}
