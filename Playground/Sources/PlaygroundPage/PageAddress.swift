#if Serve
    import Foundation

    /// Where the page is, and by which names it may be asked for.
    struct PageAddress: Sendable {
        let host: String
        let port: Int

        /// Whether no other machine reaches it.
        var isLocal: Bool { ["127.0.0.1", "::1", "localhost"].contains(host) }

        /// What a browser is to be pointed at, once it is known on which port.
        func url(port: Int) -> String {
            let everywhere = ["0.0.0.0", "::"].contains(host)
            let name = everywhere ? "localhost" : host.contains(":") ? "[\(host)]" : host
            return "http://\(name):\(port)/"
        }

        /// Whether a request may call the server so.
        ///
        /// Only by a number, as `localhost`, or by the name it was given: another site can lead a name of its own here,
        /// and its scripts would be of the same origin as the page.
        func accepts(authority: String?) -> Bool {
            guard let authority, let name = URL(string: "http://\(authority)/")?.host?.lowercased() else {
                return false
            }
            let bare = name.hasPrefix("[") ? String(name.dropFirst().dropLast()) : name
            return bare == "localhost" || bare == host.lowercased() || Self.isNumber(bare)
        }

        private static func isNumber(_ name: String) -> Bool {
            var (four, six) = (in_addr(), in6_addr())
            return inet_pton(AF_INET, name, &four) == 1 || inet_pton(AF_INET6, name, &six) == 1
        }
    }
#endif
