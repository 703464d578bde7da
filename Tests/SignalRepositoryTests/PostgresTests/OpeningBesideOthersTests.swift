import Foundation
import SignalRepository
import Signals
import Testing

@testable import SignalRepositoryPostgres

/// Concurrent schema changes by others during opening; each side waits until the other waits, never for a fixed time.
@Suite("Opening on a server that others use", .timeLimit(.minutes(10))) struct OpeningBesideOthersTests {
    private let place: StorePlace

    init() throws { place = try StorePlace(.postgres) }

    /// The lock of a connection that changes the schema.
    private static let lock = "SELECT pg_advisory_xact_lock(hashtextextended(current_schema(), 7308332048012931938))"

    private static func configuration(_ lock: Duration, _ owner: Duration = .zero) -> RepositoryConfiguration {
        var configuration = RepositoryConfiguration()
        (configuration.lockTimeout, configuration.ownershipTimeout) = (lock, owner)
        return configuration
    }

    private static let patient = configuration(.seconds(300))

    /// Returns once `count` connections wait for a lock of `holder`.
    private static func awaitWaiting(_ count: Int64, for holder: Int32, on parameters: String) throws {
        let connection = try PostgresConnection(parameters)
        let waiting = """
            SELECT count(*) FROM pg_locks AS h JOIN pg_locks AS w ON w.locktype = h.locktype \
            AND w.database IS NOT DISTINCT FROM h.database AND w.relation IS NOT DISTINCT FROM h.relation \
            AND w.classid IS NOT DISTINCT FROM h.classid AND w.objid IS NOT DISTINCT FROM h.objid \
            WHERE h.pid = \(holder) AND h.locktype IN ('advisory', 'relation') AND h.granted AND NOT w.granted
            """
        while try connection.rows(waiting) != [[.integer(count)]] {}
        connection.close()
    }

    @Test("Opening waits for no other open call if there is nothing to do, or if it cannot be done")
    func nothingToWaitFor() async throws {
        let entities: [any Entity.Type] = [
            Film.self, OldFilm.self, OldNotice.self, Hall.self, Booking.self, Sale.self, Seat.self,
        ]
        try await place.with(entities) { try await $0.create(Seat(id: 1, note: "a")).value() }
        let other = try PostgresConnection(place.parameters)
        try other.run("BEGIN; \(Self.lock)")
        let configuration = Self.configuration(.milliseconds(50))
        for access in [StoreAccess.readWrite, .readOnly] {
            await closed(try place.open(entities, access: access, configuration: configuration))
        }
        let refused = try thrown { () throws(RepositoryError) in
            try place.open([BareSeat.self], configuration: configuration)
        }
        guard case .schemaMismatch(let detail) = refused else { return #expect(Bool(false), "\(refused)") }
        #expect(detail.contains("Seat.note is no longer declared and holds 1 value"), "\(detail)")
        // This open call waits.
        let waited = try thrown { () throws(RepositoryError) in
            try place.open(entities + [Box<Int>.self], configuration: configuration)
        }
        guard case .busy = waited else { return #expect(Bool(false), "\(waited)") }
        other.close()
    }

    @Test(
        "During opening, a lock is awaited for the longer of both timeouts",
        arguments: [
            (lock: 60_001, owner: 77_000, shown: "77s"), (lock: 61_234, owner: 60_000, shown: "61234ms"),
            (lock: 60_001, owner: 3_000_000_000, shown: "2147483647ms"),
        ])
    func patience(_ limits: (lock: Int, owner: Int, shown: String)) async throws {
        let runs = Counter()
        let (configuration, shown) = (
            Self.configuration(.milliseconds(limits.lock), .milliseconds(limits.owner)), limits.shown
        )
        let repository = try place.open(
            [Seat.self],
            whenNew: { store in
                let found = try store.rows("SELECT current_setting('lock_timeout')")
                #expect(found == [[.text(shown)]])
                runs.add()
            }, configuration: configuration)
        await closed(repository)
        #expect(runs.value == 1)
    }

    @Test("In a deadlock, the open call begins again, and its step runs once")
    func deadlock() async throws {
        try await place.with([Seat.self]) { try await $0.create(Seat(id: 1, note: "a")).value() }
        let runs = Counter()
        let step = Migration("once") { store in
            runs.add()
            try store.execute("UPDATE \"Seat\" SET note = note || 'b'")
        }
        let (shared, parameters) = (place, place.parameters)
        let holder = try PostgresConnection(parameters)
        try holder.run("BEGIN; \(Self.lock)")
        let number = holder.number
        let opening = Task {
            try await onThread { try shared.open([Seat.self], [step], configuration: Self.patient) }
        }
        try await onThread { try Self.awaitWaiting(1, for: number, on: parameters) }
        // Queued behind it, with a lock that the step needs. The open call is the one that detects the deadlock.
        let other = Task {
            try await onThread {
                let connection = try PostgresConnection(parameters)
                try connection.run("SET deadlock_timeout TO '1h'")
                try connection.run("BEGIN; LOCK TABLE \"Seat\" IN ACCESS SHARE MODE")
                try connection.run(Self.lock)
                try connection.run("COMMIT")
                connection.close()
            }
        }
        try await onThread { try Self.awaitWaiting(2, for: number, on: parameters) }
        try holder.run("COMMIT")
        holder.close()
        let repository = try await opening.value
        try await other.value
        #expect(try await repository.fetch(Seat.all).value() == [Seat(id: 1, note: "ab")])
        #expect(runs.value == 1)
        await closed(repository)
    }

    @Test(
        "The catalog is read in one state, whatever is committed concurrently",
        arguments: [StoreAccess.readWrite, .readOnly])
    func oneState(access: StoreAccess) async throws {
        let step = Migration("first")
        try await place.with([Seat.self], [step]) { _ in }
        let (shared, parameters) = (place, place.parameters)
        let other = try PostgresConnection(parameters)
        // This table is read after the tables of the store, and before the migrations.
        try other.run("BEGIN; LOCK TABLE signal_repository_identity IN ACCESS EXCLUSIVE MODE")
        let number = other.number
        let opening = Task {
            try await onThread {
                try shared.open([Seat.self], [step], access: access, configuration: Self.patient)
            }
        }
        try await onThread { try Self.awaitWaiting(1, for: number, on: parameters) }
        try other.run("INSERT INTO signal_repository_migrations (name) VALUES ('second'); COMMIT")
        other.close()
        await closed(try await opening.value)
        let error = try place.refusal([Seat.self], [step], access: access)
        #expect("\(error)".contains("this program is older than the store"), "\(error)")
    }

    @Test("Keys that a step has used are not generated again")
    func givenKeys() async throws {
        try await place.with([Counted.self]) { _ in }
        let step = Migration("seven") { store in
            try store.execute("INSERT INTO \"Counted\" (id, name) VALUES (7, 'x')")
        }
        try await place.with([Counted.self], [step]) { _ in }
        let last = "SELECT pg_sequence_last_value(pg_get_serial_sequence('\"Counted\"', 'id')::regclass)"
        #expect(try place.rows(last) == [[.integer(7)]])
    }

    @Test("A table made for a new store is live, and its references hold, declared or not")
    func beginning() async throws {
        let repository = try place.open(
            [OldFilm.self], whenNew: { store in try store.createTable(OldNotice.self) })
        await closed(repository)
        let references = """
            SELECT conname::text FROM pg_constraint \
            WHERE contype = 'f' AND connamespace = current_schema()::regnamespace
            """
        #expect(try place.rows(references) == [[.text("reference_Review(film)")]])
        let published = """
            SELECT c.relname::text FROM pg_publication_rel AS r JOIN pg_class AS c ON c.oid = r.prrelid \
            WHERE c.relnamespace = current_schema()::regnamespace ORDER BY 1
            """
        #expect(try place.rows(published) == [[.text("OldFilm")], [.text("Review")]])
    }
}

private struct Seat: Entity, Equatable {
    let id: Int
    var note: String
    static let schema = Schema(Column("id", \Seat.id), Column("note", \.note), make: Seat.init)
}

private struct BareSeat: Entity {
    let id: Int
    static let entityName = "Seat"
    static let schema = Schema(Column("id", \BareSeat.id), make: BareSeat.init)
}

private struct Counted: Entity, Equatable {
    let id: Int
    var name: String
    static let schema = Schema(Column("id", \Counted.id, .generated), Column("name", \.name), make: Counted.init)
}
