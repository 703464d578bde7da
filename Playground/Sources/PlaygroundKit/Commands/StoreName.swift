import ArgumentParser
import Foundation
public import SignalRepository
import Synchronization

/// Names a store: a file, or a server by a connection string of libpq's.
package struct StoreName: ExpressibleByArgument, Sendable {
    /// What a user writes, in which a password may stand.
    private let text: String
    private let isServer: Bool

    /// Takes what a user wrote.
    package init(argument: String) {
        text = argument
        isServer = Self.isServer(argument)
    }

    /// Whether a text is a URI of PostgreSQL's, or begins with a keyword of libpq's, as `host=localhost dbname=films`
    /// does.
    ///
    /// The file of such a name is `./host=localhost`.
    private static func isServer(_ text: String) -> Bool {
        if text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") { return true }
        let rest = text.drop { $0.isWhitespace }
        let word = rest.prefix { $0.isLetter || $0 == "_" }
        return keywords.contains(String(word)) && rest.dropFirst(word.count).drop { $0.isWhitespace }.first == "="
    }

    private static let keywords: Set<String> = [
        "application_name", "channel_binding", "client_encoding", "connect_timeout", "dbname",
        "fallback_application_name", "gssencmode", "gsslib", "host", "hostaddr", "keepalives", "keepalives_count",
        "keepalives_idle", "keepalives_interval", "krbsrvname", "load_balance_hosts", "options", "passfile", "password",
        "port", "replication", "require_auth", "requirepeer", "service", "ssl_max_protocol_version",
        "ssl_min_protocol_version", "sslcert", "sslcompression", "sslcrl", "sslcrldir", "sslkey", "sslmode",
        "sslnegotiation", "sslpassword", "sslrootcert", "sslsni", "target_session_attrs", "tcp_user_timeout", "user",
    ]

    /// The path of a file; nil for a server.
    package var path: String? { isServer ? nil : text }

    /// The endings of the names of the files that belong to a store.
    private static let besides = ["-wal", "-shm", "-journal", "-lock", "-backup"]

    /// Throws when what is written to a path would be written over this store, over any other, or over a file that
    /// belongs to one; none of them need be there yet.
    func refuseOverwriting(by path: String, _ option: String) throws(PlaygroundError) {
        let place = OpenFile.place(path)
        if let store = self.path {
            let own = OpenFile.place(store)
            for suffix in [""] + Self.besides where OpenFile.isSame(place, own + suffix) {
                throw PlaygroundError("\(option) would overwrite \(Escaping.visible(store + suffix))")
            }
        }
        let bases = Self.besides.filter(place.hasSuffix).map { String(place.dropLast($0.count)) }
        for base in [place] + bases where Self.isStore(base) {
            throw PlaygroundError("\(option) would overwrite \(Escaping.visible(path)), which is or belongs to a store")
        }
    }

    /// Whether a file is a database, or has the lock of a store beside it, as one that is encrypted has.
    private static func isStore(_ path: String) -> Bool {
        // A pipe would be waited for.
        guard OpenFile.identity(path) != nil, let file = try? OpenFile.reading(path) else { return false }
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = read(file.descriptor, &bytes, bytes.count)
        if count == 16, bytes == Array("SQLite format 3\0".utf8) { return true }
        return FileManager.default.fileExists(atPath: path + "-lock")
    }

    /// The store as a message names it: of a server nothing that a user has written.
    package var description: String { isServer ? "the store on the server" : Escaping.visible(text) }

    /// The store as the help names it where it is the default.
    package var defaultValueDescription: String { description }

    /// Opens the store to read only; it must exist.
    func forReading() throws(PlaygroundError) -> any FilmRepository {
        try open(RepositoryConfiguration(access: .readOnly))
    }

    /// Opens the store to read and write, and makes it when it is missing.
    package func forWriting(
        _ configuration: RepositoryConfiguration = RepositoryConfiguration()
    ) throws(PlaygroundError) -> any FilmRepository {
        try open(configuration)
    }

    /// What opens a store on a server, which the program brings along.
    static let openServer = Mutex<
        (
            @Sendable (String, [any Entity.Type], RepositoryConfiguration) throws(RepositoryError)
                -> any FilmRepository
        )?
    >(nil)

    private func open(_ configuration: RepositoryConfiguration) throws(PlaygroundError) -> any FilmRepository {
        do throws(RepositoryError) {
            guard isServer else {
                return try SQLiteRepository(.file(text), entities: Film.self, configuration: configuration)
            }
            guard let open = Self.openServer.withLock({ $0 }) else {
                throw .misuse(detail: "this program opens no stores on a server")
            }
            return try open(text, [Film.self], configuration)
        } catch {
            throw PlaygroundError(error)
        }
    }
}

/// A repository of films with a store behind it, whichever engine that has.
public protocol FilmRepository: Repository {
    /// How the live queries have been kept up to date.
    var statistics: LiveStatistics { get }
}

extension SQLiteRepository: FilmRepository {}
