import HTTPTypes
import Hummingbird

/// Refuses the requests that another web site makes through the browsers of its visitors.
///
/// A browser sends such requests for any script and form, over the visitor's network. It also names their origin, and
/// does not let a form choose the content type.
public struct RequestGuard<Context: RequestContext>: RouterMiddleware {
    private let address: ServerAddress
    private let types: [String]

    /// Guards a server at an address, which accepts bodies of some content types.
    public init(_ address: ServerAddress, accepting types: [String] = ["application/json"]) {
        (self.address, self.types) = (address, types)
    }

    /// Passes the request on, or throws the `HTTPError` that says why not.
    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard request.headers[Self.host] == nil else {
            throw HTTPError(.badRequest, message: "The request has two Host fields.")
        }
        guard let authority = request.head.authority, address.accepts(authority: authority) else {
            throw HTTPError(.misdirectedRequest, message: "The server does not have this name: use its number.")
        }
        let isReading = request.method == .get || request.method == .head
        guard isOwn(request, of: authority, isReading: isReading) else {
            throw HTTPError(.forbidden, message: "Other sites may not use this server.")
        }
        // An unread body would keep the response to a stream from noticing that its client has gone.
        guard !isReading || !hasBody(request) else {
            throw HTTPError(.badRequest, message: "A \(request.method) has no body.")
        }
        // For every other method a browser first asks the server whether another site may send it.
        if request.method == .post || hasBody(request), !types.contains(mediaType(request)) {
            throw HTTPError(
                .unsupportedMediaType, message: "The Content-Type must be \(types.joined(separator: " or ")).")
        }
        return try await next(request, context)
    }

    /// Whether no other site has sent the request; a program that is not a browser sends neither header.
    private func isOwn(_ request: Request, of authority: String, isReading: Bool) -> Bool {
        if let site = request.headers[Self.site], site != "same-origin", site != "none" {
            // Another site may link to the server, and nothing else.
            return isReading && request.headers[Self.mode] == "navigate"
        }
        return request.headers[.origin].map { address.accepts(origin: $0, authority: authority) } ?? true
    }

    private func hasBody(_ request: Request) -> Bool {
        request.headers[.transferEncoding] != nil || request.headers[.contentLength].map { Int($0) != 0 } ?? false
    }

    private func mediaType(_ request: Request) -> String {
        let type = request.headers[.contentType]?.prefix { $0 != ";" } ?? ""
        return type.filter { !$0.isWhitespace }.lowercased()
    }

    // The first Host field becomes the authority and is not among the headers.
    private static var host: HTTPField.Name { HTTPField.Name("Host") ?? .referer }
    private static var site: HTTPField.Name { HTTPField.Name("Sec-Fetch-Site") ?? .referer }
    private static var mode: HTTPField.Name { HTTPField.Name("Sec-Fetch-Mode") ?? .referer }
}
