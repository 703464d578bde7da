#if Serve
    import HTTPTypes
    import Hummingbird

    /// Adds headers that allow the page only its own script, its own style and its own server.
    struct PageHeaders: RouterMiddleware {
        func handle(
            _ request: Request, context: PageContext, next: (Request, PageContext) async throws -> Response
        ) async throws -> Response {
            var response = try await next(request, context)
            response.headers[.contentSecurityPolicy] = Self.policy
            response.headers[.xContentTypeOptions] = "nosniff"
            for (name, value) in Self.others { response.headers[name] = value }
            return response
        }

        private static let policy = [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src data:",
            "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        ].joined(separator: "; ")

        private static let others: [(HTTPField.Name, String)] = [
            ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
        ].compactMap { name, value in HTTPField.Name(name).map { ($0, value) } }
    }
#endif
