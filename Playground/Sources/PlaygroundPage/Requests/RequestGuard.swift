#if Serve
    import HTTPTypes
    import Hummingbird

    /// Refuses what another site's scripts and forms send: a browser lets them, and tells from where they come.
    struct RequestGuard: RouterMiddleware {
        let address: PageAddress

        func handle(
            _ request: Request, context: PageContext, next: (Request, PageContext) async throws -> Response
        ) async throws -> Response {
            guard address.accepts(authority: request.head.authority) else {
                throw HTTPError(
                    .misdirectedRequest, message: "The server is not known by this name: ask for it by its number.")
            }
            let isReading = request.method == .get || request.method == .head
            guard isFromPage(request, isReading: isReading) else {
                throw HTTPError(.forbidden, message: "Only the page itself may ask for this.")
            }
            guard isReading || Self.accepted.contains(mediaType(request)) else {
                throw HTTPError(
                    .unsupportedMediaType, message: "The Content-Type is \(Self.accepted.joined(separator: " or ")).")
            }
            return try await next(request, context)
        }

        /// No form can send these: a script has to, and one of another site has to ask first.
        private static let accepted = ["application/json", "application/octet-stream"]

        /// A program that is no browser sends neither header.
        private func isFromPage(_ request: Request, isReading: Bool) -> Bool {
            if let site = request.headers[Self.site], site != "same-origin", site != "none" {
                // Another site may lead a person to the page, and do nothing else.
                return isReading && request.headers[Self.mode] == "navigate"
            }
            guard let origin = request.headers[.origin] else { return true }
            return origin == "http://\(request.head.authority ?? "")"
        }

        private func mediaType(_ request: Request) -> String {
            let type = request.headers[.contentType]?.prefix { $0 != ";" } ?? ""
            return type.filter { !$0.isWhitespace }.lowercased()
        }

        private static let site = HTTPField.Name("Sec-Fetch-Site") ?? .referer
        private static let mode = HTTPField.Name("Sec-Fetch-Mode") ?? .referer
    }
#endif
