import CPostgres
import RepositoryCore

/// A connection string for libpq.
///
/// It may contain a password, so no error, description or mirror shows any part of it.
struct ConnectionString: Sendable, CustomStringConvertible, CustomReflectable {
    let text: String
    /// The session settings of the store's first connection, which all later connections use; `nil` until known.
    var session: ServerSession?
    /// How long the server may send nothing before the client checks whether it still answers.
    var silence = Duration.seconds(20)

    /// Checks a string; throws if libpq cannot parse it, or would take a part of the password for something else.
    ///
    /// The error does not contain libpq's own message, because that message quotes the string with the password.
    init(_ text: String) throws(RepositoryError) {
        self.text = text
        guard let options = Self.options(of: text) else {
            throw Self.refusal(
                "libpq can parse it neither as a URI nor as a list of keyword=value; in a URI, percent-encode special "
                    + "characters, such as \"@\" as %40, and in a list, quote values with spaces")
        }
        for (keyword, value) in options where !Self.isPlain(value, keyword) {
            throw Self.refusal(
                "the \(keyword) is not valid; in a URI, the password comes before \"@\", and the host after it")
        }
        guard Self.hasItsOwnCredentials(text) else {
            throw Self.refusal("in a user name, a password or a path, write \"@\" as %40 and \"/\" as %2F")
        }
    }

    private static func refusal(_ reason: String) -> RepositoryError {
        .cannotOpen(path: "PostgreSQL", reason: "the connection string is not valid: \(reason)")
    }

    /// Returns the options that libpq parses from a string; `nil` if libpq cannot parse the string.
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

    /// Whether a value suits its keyword, and is not a misplaced password, which libpq would quote in its messages.
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

    /// Whether libpq finds the end of the password in a URI.
    ///
    /// libpq takes everything after the first "@" for the host, which it quotes in messages. If a "/" comes before the
    /// "@", libpq finds no password.
    private static func hasItsOwnCredentials(_ text: String) -> Bool {
        guard let scheme = ["postgresql://", "postgres://"].first(where: text.hasPrefix) else { return true }
        let rest = text.dropFirst(scheme.count)
        guard let end = rest.firstIndex(where: { $0 == "@" || $0 == "/" }) else { return true }
        return !rest[end...].dropFirst().prefix { $0 != "?" }.contains("@")
    }

    var description: String { "a connection string" }

    var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}
