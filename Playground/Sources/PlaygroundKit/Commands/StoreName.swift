import ArgumentParser
import Foundation
public import SignalRepository
import Synchronization

/// The name of a store: the path of a file, or the libpq connection string of a server.
package struct StoreName: ExpressibleByArgument, Sendable {
    /// The text that a user has written, which may contain a password.
    private let text: String
    private let isServer: Bool

    /// Makes a name from the text that a user has written.
    package init(argument: String) {
        text = argument
        isServer = Self.isServer(argument)
    }

    /// Whether a text is a PostgreSQL URI, or begins with a libpq keyword, as `host=localhost dbname=films` does.
    ///
    /// A file with such a name can be given as `./host=localhost`.
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

    /// The suffixes of the files that belong to a store.
    private static let besides = ["-wal", "-shm", "-journal", "-lock", "-backup"]

    /// Throws if a write to a path would overwrite this store, another one, or a file that belongs to a store.
    ///
    /// The path and the files of this store need not exist yet.
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

    /// Whether a file is an SQLite database, or has a store's lock file next to it, as an encrypted store has.
    private static func isStore(_ path: String) -> Bool {
        // Opening a pipe would block.
        guard OpenFile.identity(path) != nil, let file = try? OpenFile.reading(path) else { return false }
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = read(file.descriptor, &bytes, bytes.count)
        if count == 16, bytes == Array("SQLite format 3\0".utf8) { return true }
        return FileManager.default.fileExists(atPath: path + "-lock")
    }

    /// The name of the store in a message, which shows nothing of a connection string.
    package var description: String { isServer ? "the store on the server" : Escaping.visible(text) }

    /// The name of the store in the help, where it is the default.
    package var defaultValueDescription: String { description }

    /// Opens the store read-only; it must exist.
    func forReading() throws(PlaygroundError) -> any FilmRepository {
        try open(RepositoryConfiguration(access: .readOnly))
    }

    /// Opens the store to read and write, and creates it if it is missing.
    package func forWriting(
        _ configuration: RepositoryConfiguration = RepositoryConfiguration()
    ) throws(PlaygroundError) -> any FilmRepository {
        try open(configuration)
    }

    /// The function that opens a store on a server, which the program provides.
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

/// A repository of films, on any engine.
public protocol FilmRepository: Repository {
    /// How the live queries have been kept up to date.
    var statistics: LiveStatistics { get }
}

extension SQLiteRepository: FilmRepository {}
