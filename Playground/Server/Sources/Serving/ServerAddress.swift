import Foundation

/// The address on which a server listens, and the names by which requests may address it.
public struct ServerAddress: Sendable {
    /// The name or IP address of the network interface.
    public let host: String
    /// The port; 0 for any that is free.
    public let port: Int
    /// The origin that browsers see if a proxy with TLS stands in front, such as `https://films.example.org`.
    public let site: String?

    /// Creates an address; by default no other machine can reach it.
    public init(host: String = "127.0.0.1", port: Int, site: String? = nil) {
        (self.host, self.port, self.site) = (host, port, site?.lowercased())
    }

    /// The URL for a browser on this machine, once the port is known.
    public func url(port: Int) -> String {
        let everywhere = ["0.0.0.0", "::"].contains(host)
        let name = everywhere ? "localhost" : host.contains(":") ? "[\(host)]" : host
        return "http://\(name):\(port)/"
    }

    /// Whether a request may address the server by this name.
    ///
    /// IP addresses, `localhost`, the server's host and its site's are accepted. Another site can point its own name at
    /// this machine, and a browser would take its scripts for the server's own.
    public func accepts(authority: String?) -> Bool {
        guard let name = authority.flatMap(Self.name) else { return false }
        return name == "localhost" || name == host.lowercased() || name == siteName || Self.isNumber(name)
    }

    /// Whether the origin is the server's own, for a request that addresses it by this name.
    public func accepts(origin: String, authority: String) -> Bool {
        if let site, Self.name(of: authority) == siteName { return origin == site }
        return origin == "http://\(authority)"
    }

    private var siteName: String? {
        site?.split(separator: "/").last.flatMap { Self.name(of: String($0)) }
    }

    /// The name in an authority, without its port; `nil` if it has bytes that no name has.
    ///
    /// Nothing is decoded.
    private static func name(of authority: String) -> String? {
        let allowed = authority.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & ~0x20) || ".-:[]".utf8.contains(byte)
        }
        guard allowed, authority.utf8.count <= 255 else { return nil }
        let isSix = authority.hasPrefix("[")
        let parts = authority.dropFirst(isSix ? 1 : 0)
            .split(separator: isSix ? "]" : ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts.first, !name.isEmpty, parts.count == 2 || !isSix else { return nil }
        guard !name.contains(where: { "[]".contains($0) }), !isSix || isNumber(String(name)) else { return nil }
        let rest = isSix ? parts[1] : parts.count == 2 ? ":" + parts[1] : ""
        guard rest.isEmpty || rest.hasPrefix(":") && UInt16(rest.dropFirst()) != nil else { return nil }
        return name.lowercased()
    }

    private static func isNumber(_ name: String) -> Bool {
        var (four, six) = (in_addr(), in6_addr())
        return inet_pton(AF_INET, name, &four) == 1 || inet_pton(AF_INET6, name, &six) == 1
    }
}
