import Testing

@testable import RepositoryCore
@testable import SignalRepository
@testable import SignalRepositoryPostgres

@Suite("R12 A server's reports, as errors with a sentence", .timeLimit(.minutes(10))) struct ServerFailureTests {
    private func error(
        _ code: String, _ sql: String = "SELECT 1", table: String? = nil, column: String? = nil,
        constraint: String? = nil
    ) -> RepositoryError {
        ServerFailure(
            code: code, message: "what it says", table: table, column: column, constraint: constraint, position: nil
        ).error(sql: sql, reason: nil)
    }

    /// Error codes, and the beginning of their error's sentence.
    private static let sentences: [(codes: [String], begin: String)] = [
        (["40001", "40P01", "55P03", "53300", "55006"], "The store stayed locked by another connection (PostgreSQL "),
        (["53100"], "The disk is full, and the change was rolled back (PostgreSQL 53100: what it says"),
        (["53200"], "Memory ran out, and the change was rolled back (PostgreSQL 53200"),
        (["XX001", "XX002"], "The store is damaged (PostgreSQL XX00"),
        (["54000", "54001", "54011", "54023"], "A value or a statement is too big: PostgreSQL 540"),
        (["57014"], "The server stopped the work (PostgreSQL 57014"),
        (["08006", "08001", "57P01", "57P03"], "The connection to the server failed (PostgreSQL "),
        (["22003", "22012"], "The result for statement.expression cannot be represented: a number is out of range"),
        (["22021", "22P02", "22P05", "22P03", "22008"], "The value for statement.expression cannot be stored: "),
        (
            ["42601", "42703", "22023", "0A000", "2BP01", "3F000", "34000"],
            "The program made an invalid call: PostgreSQL "
        ),
        (["2200H"], "The change was refused: an item with this key already exists"),
        (["P0001"], "The change was refused: a trigger rejected it (PostgreSQL P0001"),
        (["25006"], "The store cannot be written: PostgreSQL 25006"),
        (["XX000", "58000", "P0002"], "The store failed for an unknown reason (PostgreSQL "),
    ]

    @Test("Each class has a sentence, with the code and the server's message")
    func classes() {
        for (codes, begin) in Self.sentences {
            for code in codes {
                let text = "\(error(code))"
                #expect(text.hasPrefix(begin), "\(code): \(text)")
                #expect(text.contains("PostgreSQL \(code): what it says"), "\(text)")
            }
        }
    }

    @Test("A pooler that gives each transaction another session is named", arguments: ["26000", "42P05"])
    func pooler(_ code: String) {
        let text = "\(error(code))"
        #expect(text.hasPrefix("The connection to the server failed (PostgreSQL \(code): a pooler in between "))
        #expect(text.contains("what it says"))
    }

    @Test("A broken constraint is named by its columns")
    func constraints() {
        let cases = [
            (error("23505", table: "T", constraint: "unique_T(a,b)"), "another item already has this value of a, b"),
            (error("23505", table: "T", constraint: "key_T(id)"), "an item with this key already exists (id)"),
            (error("23505", table: "T", constraint: "T_pkey1"), "an item with this key already exists"),
            (
                error("23503", "INSERT INTO \"T\"", table: "T", constraint: "reference_T(owner)"),
                "the reference T.owner would point to no item"
            ),
            (error("23503", "DELETE FROM \"U\"", table: "T", constraint: "reference_T(owner)"), "T.owner still refers"),
            (error("23502", table: "T", column: "a"), "a must have a value"),
            (error("23514", table: "T", constraint: "check_T(a)"), "the check a does not hold"),
            (error("23P01", table: "T"), "a rule of the table does not hold"),
        ]
        for (error, words) in cases {
            #expect("\(error)".hasPrefix("The change was refused: \(words)"), "\(error)")
        }
    }

    @Test("Without the privilege to read, the error does not say that the store cannot be written")
    func rights() {
        for sql in [
            "SELECT \"a\" FROM \"T\"", " select 1", "DECLARE stream CURSOR FOR SELECT 1", "FETCH 1 FROM stream",
        ] {
            let text = "\(error("42501", sql, table: "T"))"
            #expect(
                text.hasPrefix("The store cannot be opened: the role may not read it: PostgreSQL 42501"), "\(text)")
        }
        for sql in [
            "INSERT INTO \"T\" SELECT 1", "CREATE TABLE \"T\" ()", "SELECT nextval('s')", "SELECT 1 FOR UPDATE",
        ] {
            let text = "\(error("42501", sql))"
            #expect(text.hasPrefix("The store cannot be written: PostgreSQL 42501"), "\(text)")
        }
    }

    @Test("R12 Reads fail for a role that may not read a table, and writes for one that may only read it")
    func roles() async throws {
        let server = try TestServer.shared.get()
        let place = try StorePlace(.postgres)
        try await place.with([Film.self]) { try await $0.create(Film.numbered(1)).value() }
        await closed(try place.open([Film.self], liveSource: .notifications))
        let parameters = place.parameters.replacing("user=main", with: "user=locked")
        let password = TestServer.password.plain.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
        func open(_ access: StoreAccess) throws(RepositoryError) -> PostgresRepository {
            try PostgresRepository(
                "\(parameters) password='\(password)'", entities: [Film.self],
                configuration: RepositoryConfiguration(access: access))
        }
        let unread = try thrown { () throws(RepositoryError) in try open(.readOnly) }
        #expect(unread.isCannotOpen, "\(unread)")
        try place.run("GRANT SELECT ON signal_repository_identity TO locked")
        let blind = try open(.readOnly)
        await expectFailure(\.isCannotOpen) { try await blind.fetch(Film.all).value() }
        await closed(blind)
        try place.run("GRANT SELECT ON \"Film\" TO locked")
        let reader = try open(.readWrite)
        #expect(try await reader.count(Film.self).value() == 1)
        await expectFailure(\.isReadOnly) { try await reader.create(Film.numbered(2)).value() }
        await expectFailure(\.isReadOnly) { try await reader.insert([Film.numbered(2)]).value() }
        await closed(reader)
        _ = server
    }
}
