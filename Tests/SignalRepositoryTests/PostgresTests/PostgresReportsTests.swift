import Testing

@testable import RepositoryCore
@testable import SignalRepository
@testable import SignalRepositoryPostgres

/// Errors made from a server's reports, and texts made for a server; no server is needed.
@Suite("Reports of a server, and texts for it") struct PostgresReportsTests {
    private func failure(
        _ code: String, table: String? = "T", column: String? = nil, constraint: String? = nil, position: Int? = nil
    ) -> ServerFailure {
        ServerFailure(
            code: code, message: "what it says", table: table, column: column, constraint: constraint,
            position: position)
    }

    // Failures.

    @Test("A missing table is named as it is spelled at the position of the failure")
    func missingTables() {
        let cases: [(sql: String, position: Int?, name: String?)] = [
            ("SELECT 1 FROM \"Ta ble\" AS x", 15, "Ta ble"), ("SELECT 1 FROM film_a", 15, "film_a"),
            ("SELECT 1 FROM film_a, b", 15, "film_a"), ("film", 1, "film"),
            ("SELECT '😀é' FROM far AS x", 18, "far"), ("SELECT 1 FROM film_a", nil, nil),
        ]
        for (sql, position, name) in cases {
            let error = failure("42P01", position: position).error(sql: sql, reason: nil)
            #expect(error.isMisuse)
            #expect("\(error)".contains("the store has no table ") == (name != nil), "\(error)")
            if let name { #expect("\(error)".contains("the store has no table \(name): "), "\(error)") }
        }
    }

    @Test("A constraint has a kind, and columns as far as the report reveals them")
    func constraints() {
        let cases: [(failure: ServerFailure, kind: ConstraintKind, columns: [String])] = [
            (failure("23505", constraint: "unique_T(a,b)"), .unique, ["a", "b"]),
            (failure("23505", table: nil, constraint: "unique_T(a,b)"), .unique, []),
            (failure("23505", constraint: "key_T(id)"), .primaryKey, ["id"]),
            (failure("23505", constraint: "T_pkey"), .primaryKey, []),
            (failure("23505", constraint: "T_pkey12"), .primaryKey, []),
            (failure("23505", constraint: "T_pkey_a"), .unique, []),
            (failure("23505", constraint: "a(b"), .unique, []), (failure("23505", constraint: "a)"), .unique, []),
            (failure("23505"), .unique, []), (failure("23502", column: "a"), .notNull, ["a"]),
            (failure("23503", constraint: "reference_T(a,b)"), .foreignKey, ["T.a", "T.b"]),
            (failure("23001", constraint: "reference_T(a)"), .foreignKey, ["T.a"]),
            (failure("23514", constraint: "check_T(a)"), .check, ["a"]),
            (failure("23514", constraint: "check_T(a,b)"), .check, ["a,b"]),
            (failure("23514", constraint: "a"), .check, []), (failure("23000"), .other, []),
            (failure("23P01"), .other, []), (failure("P0001"), .trigger, []),
            (failure("2200H", constraint: "a(b)"), .primaryKey, []),
        ]
        for (failure, kind, columns) in cases {
            let error = failure.error(sql: "", reason: nil)
            guard case .constraint(kind, columns, _, _) = error else {
                Issue.record("\(failure.code) \(failure.constraint ?? ""): \(error)")
                continue
            }
        }
    }

    @Test("A reference is broken at the referenced side by a DELETE, or by an UPDATE of another table")
    func restrictions() {
        let statements: [(sql: String, table: String?, isRestriction: Bool)] = [
            ("DELETE FROM \"T\"", "T", true), ("delete from u", nil, true), ("UPDATE \"T\" SET a = 1", "T", false),
            ("UPDATE \"T\"", "T", false), ("UPDATE \"U\" SET a = 1", "T", true), ("update \"U\" SET a = 1", "T", true),
            ("UPDATE", "T", true), ("UPDATE \"U\" SET a = 1", nil, false), ("INSERT INTO \"U\"", "T", false),
            ("", "T", false), ("UPDATE \"a T\" SET a = 1", "a T", false), ("UPDATE \"a T\" SET a = 1", "a", true),
            (" DELETE FROM \"T\"", "T", true), ("UPDATE  \"T\" SET a = 1", "T", false),
        ]
        for (sql, table, isRestriction) in statements {
            for (code, isReference) in [("23503", true), ("23001", true), ("23505", false)] {
                let error = failure(code, table: table).error(sql: sql, reason: nil)
                guard case .constraint(_, _, let diagnosis, _) = error else {
                    Issue.record("\(error)")
                    continue
                }
                #expect(diagnosis.isRestriction == (isRestriction && isReference), "\(code): \(sql)")
            }
        }
    }

    @Test("Without the privilege, a read fails as .cannotOpen, and a write as .readOnly")
    func rights() {
        let reading = [
            "WITH a AS (SELECT 1) SELECT 1", "TABLE a", "values (1)", "EXPLAIN SELECT 1", "SHOW a",
            "LOCK TABLE \"T\" IN ACCESS SHARE MODE",
        ]
        let writing = [
            "", "WITH a AS (UPDATE b SET c = 1) SELECT 1", "WITH a AS (DELETE FROM b) SELECT 1",
            "WITH a AS (INSERT INTO b SELECT 1) SELECT 1", "SELECT setval('a', 1)", "LOCK TABLE \"T\" IN SHARE MODE",
            "MERGE INTO a", "CREATE TABLE a ()",
        ]
        for sql in reading {
            guard case .cannotOpen("T", _) = failure("42501").error(sql: sql, reason: nil) else {
                Issue.record("\(sql)")
                continue
            }
        }
        for sql in writing { #expect(failure("42501").error(sql: sql, reason: nil).isReadOnly, "\(sql)") }
    }

    @Test("A taken key and a reference are reported with their table")
    func named() throws {
        #expect(failure("23505", constraint: "key_T(id)").takenKey == "T")
        #expect(failure("23505", constraint: "unique_T(id)").takenKey == nil)
        #expect(failure("23505").takenKey == nil)
        #expect(failure("23503", constraint: "key_T(id)").takenKey == nil)
        let reference = try #require(failure("23503", constraint: "reference_T(a,b)").reference)
        #expect(reference.names(for: "T") == ["a", "b"] && reference.names(for: "U") == ["T.a", "T.b"])
        #expect(failure("23505", constraint: "reference_T(a)").reference == nil)
        #expect(failure("23503", table: nil, constraint: "reference_T(a)").reference == nil)
        #expect(failure("23503", constraint: "own").reference == nil)
    }

    @Test("The error says what stopped the work, and a lost server differs from one that refuses")
    func ends() {
        #expect(failure("57014").error(sql: "", reason: .cancelled).isCancelled)
        func diagnosis(_ code: String, _ engine: String = PostgresConnection.engine) -> Diagnosis {
            Diagnosis(engine: engine, code: code, message: "")
        }
        for code in ["08006", "57P01", "25P03"] { #expect(RepositoryError.io(diagnosis(code)).isLost, "\(code)") }
        #expect(!RepositoryError.io(diagnosis("26000")).isLost)
        #expect(!RepositoryError.io(diagnosis("08006", "SQLite")).isLost)
        #expect(!RepositoryError.busy(diagnosis("08006")).isLost)
        for code in ["40001", "40P01", "0A000"] { #expect(RepositoryError.busy(diagnosis(code)).isConflict, "\(code)") }
        #expect(!RepositoryError.busy(diagnosis("55P03")).isConflict)
        #expect(!RepositoryError.io(diagnosis("40001")).isConflict)
        let lost = RepositoryError.cannotOpen(path: "there", reason: "nobody answers").asLost
        #expect(lost.isIO && lost.isLost && "\(lost)".contains("there: nobody answers"), "\(lost)")
        #expect(RepositoryError.closed.asLost == .closed)
    }

    // Numbers of any size.

    private func numeric(_ words: [UInt16], _ rest: [UInt8] = []) -> Numeric? {
        (words.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] } + rest).withUnsafeBufferPointer { Numeric($0) }
    }

    @Test("A number has as many digits as it states; it need not be whole, nor fit into 64 bits")
    func numbers() throws {
        let others: [(words: [UInt16], rest: [UInt8])] = [
            ([], []), ([0, 0, 0], []), ([0, 0, 0], [0]), ([1, 0, 0, 0], []), ([0, 0, 0, 0], [0]),
        ]
        for (words, rest) in others { #expect(numeric(words, rest) == nil) }
        let cases: [(words: [UInt16], integer: Int64?, isInteger: Bool)] = [
            ([0, 0, 0, 0], 0, true), ([0, 0xFFFF, 0, 0], 0, true), ([1, 0, 0, 0, 7], 7, true),
            ([1, 0, 0x4000, 0, 7], -7, true), ([1, 1, 0, 0, 7], 70_000, true), ([2, 0, 0, 4, 7, 0], 7, true),
            ([2, 1, 0, 0, 7, 8], 70_008, true), ([2, 0, 0, 4, 7, 1], nil, false),
            ([1, 0xFFFF, 0, 4, 5_000], nil, false), ([0, 0, 0xC000, 0], nil, false), ([0, 0, 0xD000, 0], nil, false),
            ([1, 4, 0, 0, 923], nil, true), ([1, 4, 0, 0, 922], 9_220_000_000_000_000_000, true),
        ]
        for (words, integer, isInteger) in cases {
            let number = try #require(numeric(words))
            #expect(number.integer == integer && number.isInteger == isInteger, "\(words)")
        }
    }

    // Types and names.

    @Test("Values and types are spelled as the server reads them")
    func literals() {
        let types = PostgresTypes()
        let literals: [(value: SQLValue, text: String)] = [
            (.null, "NULL"), (.integer(-1), "-1"), (.real(-0.0), "'0.0'::double precision"),
            (.real(-1.5), "'-1.5'::double precision"), (.real(.infinity), "'Infinity'::double precision"),
            (.real(-.infinity), "'-Infinity'::double precision"), (.text("a'b"), "'a''b'"),
            (.blob([0, 15, 16, 255]), "'\\x000f10ff'::bytea"), (.blob([]), "'\\x'::bytea"),
        ]
        for (value, text) in literals { #expect(types.constant(value) == text) }
        #expect(types.literal(.blob([0, 15, 16, 255]), of: "uuid") == "'000f10ff'::uuid")
        for storageClass in [StorageClass.integer, .real, .text, .blob] {
            for holdsIDs in [true, false] {
                let name = types.name(of: storageClass, holdsIDs: holdsIDs)
                #expect(PostgresTypes.storageClass(of: name) == storageClass)
                #expect((name == "uuid") == (storageClass == .blob && holdsIDs))
            }
        }
        #expect(types.name(of: .null, holdsIDs: false) == "bytea")
        #expect(PostgresTypes.storageClass(of: "text") == nil)
    }

    @Test("Each name of a table has at most 63 bytes, and so has each name made from others")
    func names() throws {
        func long(_ count: Int) -> String { String(repeating: "x", count: count) }
        func column(_ name: String, _ reference: ReferenceShape? = nil) -> ColumnShape {
            ColumnShape(name: name, type: "bigint", isOptional: true, isKey: false, reference: reference)
        }
        let target = ReferenceShape(table: "U", rule: "CASCADE")
        let changes: [(name: String, most: Int, change: (inout TableShape, String) -> Void)] = [
            ("table", 63, { $0.name = $1 }), ("column", 63, { $0.columns.append(column($1)) }),
            ("index", 63, { $0.indexes.append(IndexShape(name: $1, columns: [], isUnique: false)) }),
            ("check", 63, { $0.checks.append(CheckShape(name: $1, expression: "")) }),
            // The name is reference_T(x), and reference_T(a,x).
            ("reference", 50, { $0.columns.append(column($1, target)) }),
            ("references", 48, { $0.references.append(CompositeReferenceShape(columns: ["a", $1], target)) }),
        ]
        for (name, most, change) in changes {
            var (fitting, tooLong) = (TableShape(name: "T"), TableShape(name: "T"))
            change(&fitting, long(most))
            change(&tooLong, long(most + 1))
            try PostgresTypes().check(fitting)
            let shape = tooLong
            let error = try thrown { () throws(RepositoryError) in try PostgresTypes().check(shape) }
            #expect(error.isMisuse && "\(error)".contains("has 64 bytes"), "\(name): \(error)")
        }
        for name in ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"] {
            let shape = TableShape(name: "T", columns: [column("a"), column(name)])
            let error = try thrown { () throws(RepositoryError) in try PostgresTypes().check(shape) }
            #expect(error.isMisuse && "\(error)".contains(name), "\(error)")
        }
        try PostgresTypes().check(TableShape(name: "T", columns: [column("Xmin"), column("oid")]))
    }
}
