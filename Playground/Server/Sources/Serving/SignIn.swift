import HTTPTypes
import Hummingbird

/// Answers only requests that carry one of the server's tokens: `Authorization: Bearer …`.
public struct SignIn<Context: RequestContext>: RouterMiddleware {
    private let tokens: [[UInt8]]

    /// Accepts some tokens; one of fewer than 16 bytes could be guessed, and is a programming error.
    public init(_ tokens: [String]) {
        precondition(tokens.allSatisfy { $0.utf8.count >= 16 }, "A token needs 16 bytes or more.")
        self.tokens = tokens.map { Array($0.utf8) }
    }

    /// Passes the request on, or throws the `HTTPError` that says why not.
    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let field = request.headers[.authorization] ?? ""
        let sent = Array(field.dropFirst("Bearer ".count).utf8)
        // Every token is compared completely.
        let matches = tokens.map { Self.isSame(sent, as: $0) ? 1 : 0 }.reduce(0, +)
        guard field.hasPrefix("Bearer "), matches > 0 else {
            throw HTTPError(
                .unauthorized, headers: [.wwwAuthenticate: "Bearer"], message: "This needs one of the server's tokens.")
        }
        return try await next(request, context)
    }

    /// Compares in a time that depends only on the token's length, so that no prefix of it can be guessed.
    private static func isSame(_ sent: [UInt8], as token: [UInt8]) -> Bool {
        var difference = sent.count ^ token.count
        for (index, byte) in token.enumerated() {
            difference |= Int(byte ^ (index < sent.count ? sent[index] : 0))
        }
        return difference == 0
    }
}
