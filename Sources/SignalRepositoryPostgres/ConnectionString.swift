import CPostgres
import SignalRepository

/// A connection string of libpq's.
///
/// A password may stand in it, so that nothing shows any of it: neither an error, nor a description, nor a mirror.
struct ConnectionString: Sendable, CustomStringConvertible, CustomReflectable {
    let text: String

    /// Takes a string that libpq reads as it is meant.
    ///
    /// libpq's own message about one that it cannot read quotes it, with the password.
    init(_ text: String) throws(RepositoryError) {
        self.text = text
        guard Self.isReadable(text) else {
            throw Self.refusal(
                "it is neither a URI nor a list of keyword=value that libpq reads; in a URI signs are written as %40, "
                    + "in a list a value with spaces stands in quotes")
        }
        guard Self.hasItsOwnCredentials(text) else {
            throw Self.refusal("in a user name, a password or a path \"@\" is written as %40, and \"/\" as %2F")
        }
    }

    private static func refusal(_ reason: String) -> RepositoryError {
        .cannotOpen(path: "PostgreSQL", reason: "the connection string is not valid: \(reason)")
    }

    private static func isReadable(_ text: String) -> Bool {
        guard !text.utf8.contains(0) else { return false }
        var message: UnsafeMutablePointer<CChar>?
        let options = PQconninfoParse(text, &message)
        PQfreemem(message)
        PQconninfoFree(options)
        return options != nil
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
