import Testing

@testable import RepositoryCore
@testable import SignalRepository
@testable import SignalRepositoryPostgres

/// The parts of requests and answers, one by one.
@Suite("The pieces of a store on a server", .timeLimit(.minutes(10))) struct PostgresPartsTests {
    private let store: String
    private let connection: PostgresConnection

    init() throws {
        store = try TestServer.shared.get().store()
        connection = try PostgresConnection(store)
    }

    private func raw(_ sql: String, on connection: PostgresConnection? = nil) throws -> PostgresStatement {
        try (connection ?? self.connection).statement("\(raw: sql)")
    }

    private static func value(_ row: any StoreStatement) throws(RepositoryError) -> SQLValue { try row.value(at: 0) }

    private static let numbers = "SELECT i FROM generate_series(1::bigint, 3) AS i"
    private static let oneToThree: [SQLValue] = [.integer(1), .integer(2), .integer(3)]

    // Values.

    @Test("Each type that can be read becomes a value of its storage class, and any other type fails as .decoding")
    func types() throws {
        let values: [(sql: String, value: SQLValue)] = [
            ("true", .integer(1)), ("false", .integer(0)), ("-7::int2", .integer(-7)), ("-7::int4", .integer(-7)),
            ("-7::int8", .integer(-7)), ("7::oid", .integer(7)), ("-70000::numeric", .integer(-70_000)),
            ("1.5::float4", .real(1.5)), ("1.5::float8", .real(1.5)), ("'Infinity'::float8", .real(.infinity)),
            ("'NaN'::float4", .null), ("'NaN'::float8", .null), ("'a'::name", .text("a")), ("'a'::text", .text("a")),
            ("'{}'::json", .text("{}")), ("'a'::bpchar", .text("a")), ("'a'::varchar", .text("a")),
            ("''::text", .text("")), ("NULL::text", .null), ("NULL::date", .null), ("''::bytea", .blob([])),
            ("'\\x00ff'::bytea", .blob([0, 255])),
            ("'00000000-0000-0000-0000-0000000000ff'::uuid", .blob([UInt8](repeating: 0, count: 15) + [255])),
        ]
        for (sql, value) in values { #expect(try raw("SELECT \(sql)").first(Self.value) == value, "\(sql)") }
        for sql in ["'2000-01-01'::date", "now()", "'a'::\"char\"", "'{}'::jsonb", "'1 day'::interval"] {
            let statement = try raw("SELECT \(sql)")
            let error = try thrown { () throws(RepositoryError) in try statement.first(Self.value) }
            #expect(error.isDecoding, "\(sql): \(error)")
        }
    }

    @Test("Values keep their class: zero has one sign, and an empty value is not NULL")
    func parameters() throws {
        let texts: [(sql: SQLText, value: SQLValue)] = [
            ("SELECT \(bind: .real(-0.0))::text", .text("0")), ("SELECT \(bind: .real(-0.5))::text", .text("-0.5")),
            ("SELECT \(bind: .text(""))::text", .text("")), ("SELECT \(bind: .blob([]))::bytea", .blob([])),
            ("SELECT \(bind: .null)::text", .null), ("SELECT \(bind: .integer(.min))::text", .text("\(Int64.min)")),
        ]
        for (sql, value) in texts { #expect(try connection.statement(sql).first(Self.value) == value, "\(sql.text)") }
    }

    // Statements.

    @Test("Reads are received row by row; writes and cursors as a whole")
    func beginning() throws {
        try connection.run("CREATE TABLE n (i bigint)")
        try connection.begin(.write)
        let reading = try raw(Self.numbers)
        var count = try reading.begin()
        #expect(count == 0 && reading.isReceiving)
        #expect(try reading.all(Self.value) == Self.oneToThree)
        #expect(!reading.isReceiving)
        // The remaining rows are skipped.
        count = try reading.begin()
        var isThere = try reading.step()
        #expect(count == 0 && isThere && reading.isReceiving)
        reading.reset()
        #expect(!reading.isReceiving)
        #expect(try connection.rows("SELECT 7::bigint") == [[.integer(7)]])
        let writing = try raw("INSERT INTO n VALUES (1), (2), (3) RETURNING i")
        count = try writing.begin()
        #expect(count == 3 && !writing.isReceiving)
        isThere = try writing.step()
        count = try writing.begin()
        #expect(isThere && count == 2)
        writing.reset()
        // A statement without rows is executed once.
        let silent = try raw("INSERT INTO n VALUES (9)")
        count = try silent.begin()
        isThere = try silent.step()
        #expect(count == 0 && !isThere)
        #expect(try connection.rows("SELECT count(*) FROM n") == [[.integer(4)]])
        let cursor = try connection.rows(of: "\(raw: Self.numbers)")
        count = try cursor.begin()
        #expect(count == 3 && !cursor.isReceiving)
        #expect(try cursor.all(Self.value) == Self.oneToThree)
    }

    @Test("A statement whose function may change the settings is read as a whole")
    func setter() throws {
        try connection.run("CREATE FUNCTION parts_of(i bigint) RETURNS bigint LANGUAGE sql AS 'SELECT i'")
        let statement = try raw("SELECT parts_of(i) FROM generate_series(1::bigint, 3) AS i")
        let count = try statement.begin()
        #expect(count == 3 && !statement.isReceiving)
        statement.reset()
    }

    @Test("A failure between rows, or before the first one, ends the statement, which can be used again")
    func failing() throws {
        for first in [3, 1] {
            let statement = try raw("SELECT 1 / (i - 3) FROM generate_series(\(4 - first)::bigint, 5) AS i")
            for _ in 0..<2 {
                let error = try thrown { () throws(RepositoryError) in
                    _ = try statement.begin()
                    while try statement.step() {}
                }
                #expect(error.isOverflow && !statement.isReceiving, "\(error)")
            }
        }
        #expect(try connection.rows("SELECT 7::bigint") == [[.integer(7)]])
    }

    @Test("The statement log has the number of rows each time, whether they came one by one or not")
    func log() async throws {
        let (reports, continuation) = AsyncStream<StatementReport>.makeStream()
        let logged = try PostgresConnection(ConnectionString(store), log: StatementLog { continuation.yield($0) })
        let statement = try raw(Self.numbers, on: logged)
        for isReceived in [true, true, false, false, true] {
            if isReceived { _ = try statement.begin() }
            try statement.run()
        }
        logged.close()
        var counts: [Int] = []
        for await report in reports where report.sql == Self.numbers {
            counts.append(report.rows)
            if counts.count == 5 { break }
        }
        #expect(counts == [3, 3, 3, 3, 3])
    }

    // References that are not enforced yet.

    @Test("A reference is made with the names that its tables and its column have by then")
    func renamed() throws {
        try makeTables()
        var pending = PendingReferences(connection)
        try pending.add(column("x", to: "a"), of: "b")
        try connection.run("ALTER TABLE a RENAME TO c; ALTER TABLE b RENAME x TO w; ALTER TABLE b RENAME TO d")
        try pending.make()
        #expect(try references() == [.text("reference_d(w)")])
    }

    private func column(_ name: String, to target: String, _ rule: String = "CASCADE") -> ColumnShape {
        ColumnShape(
            name: name, type: "bigint", isOptional: true, isKey: false,
            reference: ReferenceShape(table: target, rule: rule))
    }

    /// The references that the server has, in the order in which they were made.
    private func references() throws -> [SQLValue] {
        try connection.rows(
            """
            SELECT conname::text FROM pg_constraint \
            WHERE contype = 'f' AND connamespace = current_schema()::regnamespace ORDER BY oid
            """
        ).map { $0[0] }
    }

    private func makeTables() throws {
        try connection.run(
            """
            CREATE TABLE a (id bigint PRIMARY KEY); CREATE TABLE k (p bigint, q bigint, PRIMARY KEY (q, p)); \
            CREATE TABLE t (id text PRIMARY KEY); \
            CREATE TABLE b (id bigint PRIMARY KEY, x bigint, y bigint, z bigint)
            """)
    }

    @Test("A reference follows the tables and columns that it names, and is dropped with them")
    func following() throws {
        try makeTables()
        var pending = PendingReferences(connection)
        try pending.add(ColumnShape(name: "id", type: "bigint", isOptional: false, isKey: true), of: "b")
        #expect(pending.all.isEmpty)
        for name in ["x", "y", "z"] { try pending.add(column(name, to: "a"), of: "b") }
        try pending.add(column("id", to: "a"), of: "k")
        #expect(pending.all.map(\.table) == ["b", "b", "b"])
        // This reference replaces the first.
        try pending.add(column("x", to: "a", "SET NULL"), of: "b")
        try pending.add(column("p", to: "gone"), of: "k")
        #expect(pending.all.map(\.columns) == [["y"], ["z"], ["x"], ["p"]])
        #expect(pending.all.map(\.shape.rule) == ["CASCADE", "CASCADE", "SET NULL", "CASCADE"])
        try connection.run(
            "ALTER TABLE a RENAME TO c; ALTER TABLE b RENAME y TO w; ALTER TABLE b RENAME TO d; "
                + "ALTER TABLE d DROP COLUMN z; ALTER TABLE t RENAME TO gone")
        try pending.follow()
        #expect(pending.all.map(\.table) == ["d", "d", "k"])
        #expect(pending.all.map(\.columns) == [["w"], ["x"], ["p"]])
        #expect(pending.all.map(\.shape.table) == ["c", "c", "gone"])
        try pending.remove(of: "k")
        #expect(pending.all.map(\.columns) == [["w"], ["x"]])
        try connection.run("DROP TABLE d")
        try pending.follow()
        #expect(pending.all.isEmpty)
    }

    @Test("References, also of several columns, are dropped and made again, restricting ones before the others")
    func suspending() throws {
        try makeTables()
        try connection.run(
            """
            ALTER TABLE b ADD CONSTRAINT "reference_b(x)" FOREIGN KEY (x) REFERENCES a ON DELETE CASCADE; \
            ALTER TABLE b ADD CONSTRAINT "reference_b(z,y)" FOREIGN KEY (z, y) REFERENCES k ON DELETE SET NULL; \
            ALTER TABLE t ADD x bigint CONSTRAINT "reference_t(x)" REFERENCES a; \
            ALTER TABLE t ADD y bigint CONSTRAINT own REFERENCES a
            """)
        var pending = PendingReferences(connection)
        try pending.suspend()
        #expect(try references() == [.text("own")])
        #expect(pending.all.map(\.table) == ["b", "b", "t"])
        #expect(pending.all.map(\.columns) == [["x"], ["z", "y"], ["x"]])
        #expect(pending.all.map(\.shape.table) == ["a", "k", "a"])
        #expect(pending.all.map(\.shape.rule) == ["CASCADE", "SET NULL", "NO ACTION"])
        try pending.make()
        #expect(pending.all.isEmpty)
        let made: [SQLValue] = ["own", "reference_b(x)", "reference_b(z,y)", "reference_t(x)"].map { .text($0) }
        #expect(try references() == made)
        try pending.add(column("y", to: "a", "RESTRICT"), of: "b")
        try pending.make()
        // References to the same target come after it, and the one to another target keeps its place.
        let restricting: [SQLValue] = [
            "own", "reference_b(z,y)", "reference_b(y)", "reference_b(x)", "reference_t(x)",
        ].map { .text($0) }
        #expect(try references() == restricting)
    }

    @Test("A reference that cannot be made fails with the reason and the number of rows")
    func unmakeable() throws {
        try makeTables()
        try connection.run(
            """
            INSERT INTO a VALUES (1); INSERT INTO k (q, p) VALUES (1, 2); \
            INSERT INTO b VALUES (1, 1, 1, 2), (2, 5, NULL, 2), (3, NULL, 1, NULL), (4, 6, 2, 1), (5, 7, 1, 2)
            """)
        func refusal(_ add: (inout PendingReferences) throws(RepositoryError) -> Void) throws -> String {
            var pending = PendingReferences(connection)
            try add(&pending)
            let error = try thrown { () throws(RepositoryError) in try pending.make() }
            return "\(error)"
        }
        let missing = try refusal { pending throws(RepositoryError) in
            try pending.add(column("x", to: "nowhere"), of: "b")
        }
        #expect(missing.contains("b.x would refer to nowhere, which does not exist"), "\(missing)")
        let other = try refusal { pending throws(RepositoryError) in try pending.add(column("x", to: "t"), of: "b") }
        #expect(other.contains("b.x cannot be migrated: "), "\(other)")
        let broken = try refusal { pending throws(RepositoryError) in try pending.add(column("x", to: "a"), of: "b") }
        #expect(broken.contains("3 of b would refer to rows of a that do not exist"), "\(broken)")
        // The key is (q, p), in this order.
        var table = TableShape(name: "b")
        table.references = [
            CompositeReferenceShape(columns: ["y", "z"], ReferenceShape(table: "k", rule: "CASCADE"))
        ]
        let shape = table
        let composite = try refusal { pending throws(RepositoryError) in try pending.add(shape) }
        #expect(composite.contains("1 of b would refer to rows of k that do not exist"), "\(composite)")
        #expect(try references().isEmpty)
    }
}
