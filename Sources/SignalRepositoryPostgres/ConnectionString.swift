import CPostgres
import SignalRepository

/// A connection string of libpq's.
///
/// A password may stand in it, so that nothing shows any of it: neither an error, nor a description, nor a mirror.
struct ConnectionString: Sendable, CustomStringConvertible, CustomReflectable {
    let text: String
    /// The session that every connection of a store has, which is the first one's; `nil` until then.
    var session: ServerSession?
    /// How long the server may say nothing before it is asked whether it is there.
    var silence = Duration.seconds(20)

    /// Takes a string that libpq reads as it is meant.
    ///
    /// libpq's own message about one that it cannot read quotes it, with the password.
    init(_ text: String) throws(RepositoryError) {
        self.text = text
        guard let options = Self.options(of: text) else {
            throw Self.refusal(
                "it is neither a URI nor a list of keyword=value that libpq reads; in a URI signs are written as %40, "
                    + "in a list a value with spaces stands in quotes")
        }
        for (keyword, value) in options where !Self.isPlain(value, keyword) {
            throw Self.refusal(
                "the \(keyword) is not one; in a URI the host follows \"@\", and a password stands before it")
        }
        guard Self.hasItsOwnCredentials(text) else {
            throw Self.refusal("in a user name, a password or a path \"@\" is written as %40, and \"/\" as %2F")
        }
    }

    private static func refusal(_ reason: String) -> RepositoryError {
        .cannotOpen(path: "PostgreSQL", reason: "the connection string is not valid: \(reason)")
    }

    /// The options that libpq reads in a string; `nil` where it reads none.
    private static func options(of text: String) -> [String: String]? {
        guard !text.utf8.contains(0) else { return nil }
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(text, &message) else {
            PQfreemem(message)
            return nil
        }
        defer { PQconninfoFree(options) }
        var values: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        return values
    }

    /// Whether a value that libpq names in its messages can be what it stands for, and not a password in its place.
    private static func isPlain(_ value: String, _ keyword: String) -> Bool {
        switch keyword {
        case "port":
            return value.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { port in
                port.isEmpty || UInt16(port).map { $0 > 0 } == true
            }
        case "host", "hostaddr":
            return value.split(separator: ",").allSatisfy { host in
                if host.hasPrefix("/") { return true }
                let isAddress = host.allSatisfy { $0.isHexDigit || ":.%".contains($0) } || host.contains("%")
                return !host.contains("@") && (!host.contains(":") || isAddress)
            }
        case "dbname": return !value.contains("://")
        default: return true
        }
    }

    /// Whether libpq finds the password where it ends: it takes what follows the first sign "@" for the host, which it
    /// names in messages, and nothing for a password when a sign "/" comes before.
    private static func hasItsOwnCredentials(_ text: String) -> Bool {
        guard let scheme = ["postgresql://", "postgres://"].first(where: text.hasPrefix) else { return true }
        let rest = text.dropFirst(scheme.count)
        guard let end = rest.firstIndex(where: { $0 == "@" || $0 == "/" }) else { return true }
        return !rest[end...].dropFirst().prefix { $0 != "?" }.contains("@")
    }

    var description: String { "a connection string" }

    var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}
