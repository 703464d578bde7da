import Foundation
import Testing

@testable import RepositoryCore
@testable import SignalRepository

/// Each case that comes from the store, provoked from a real file.
@Suite("R12 Errors") struct RepositoryErrorTests {
    private let folder: TemporaryFolder
    private let store: OpenedStore
    private let writer: Connection

    init() throws {
        folder = try TemporaryFolder()
        store = try OpenedStore(.file(folder.file()), entities: [Book.self])
        writer = try #require(store.writer)
        try writer.execute("INSERT INTO Book VALUES (1, 'a', 'x', NULL)")
    }

    @Test("S-L9 A failure without a message gets its code's message, and a leftover journal is named")
    func failuresWithoutMessage() {
        let full = RepositoryError.failure(.full, "not an error", path: "p")
        #expect("\(full)".contains("database or disk is full") && !"\(full)".contains("not an error"))
        for number: Int32 in [264, 776] {
            let error = RepositoryError.failure(
                ResultCode(rawValue: number), "attempt to write a readonly database", path: "films.sqlite")
            guard case .readOnly(let detail) = error else { return #expect(Bool(false), "\(error)") }
            #expect(detail.hasPrefix("films.sqlite has the journal of a program that was interrupted"))
        }
        let deep = RepositoryError.failure(.error, "parser stack overflow", path: "p")
        #expect(deep.isTooBig)
    }

    private func failure(_ sql: String) throws -> RepositoryError {
        try thrown { () throws(RepositoryError) in try writer.execute(sql) }
    }

    @Test("R12 a constraint says which kind, which columns, and SQLite's extended code and message")
    func constraints() throws {
        let cases: [(sql: String, kind: ConstraintKind, columns: [String], code: ResultCode)] = [
            ("INSERT INTO Book VALUES (1, 'b', 'y', NULL)", .primaryKey, ["id"], .constraintPrimaryKey),
            ("INSERT INTO Book VALUES (2, 'a', 'y', NULL)", .unique, ["title"], .constraintUnique),
            ("INSERT INTO Book VALUES (2, NULL, 'y', NULL)", .notNull, ["title"], .constraintNotNull),
            ("INSERT INTO Book VALUES (2, 'b', 'y', 9)", .foreignKey, ["Book.sequel"], .constraintForeignKey),
            ("INSERT INTO Book VALUES (2, x'00', 'y', NULL)", .other, ["title"], ResultCode(rawValue: 3091)),
        ]
        for example in cases {
            let error = try failure(example.sql)
            guard case .constraint(let kind, let columns, let diagnosis, _) = error else {
                return #expect(Bool(false), "\(error)")
            }
            #expect(kind == example.kind)
            #expect(columns == example.columns)
            #expect(diagnosis.resultCode == example.code)
            #expect(diagnosis.sql == example.sql)
            #expect(diagnosis.message.contains("constraint failed") || example.kind == .other)
        }
        try writer.execute("CREATE TABLE Checked (a CHECK (a > 0))")
        guard case .constraint(.check, ["a > 0"], _, _) = try failure("INSERT INTO Checked VALUES (0)") else {
            return #expect(Bool(false))
        }
    }

    @Test("R12 the statement of an error is the text without its values")
    func withoutValues() throws {
        let error = try thrown { () throws(RepositoryError) in
            try writer.execute(
                "INSERT INTO Book VALUES (?, ?, ?, NULL)", [.integer(1), .text("secret"), .text("secret")])
        }
        #expect(!"\(error)".contains("secret"))
        #expect("\(error)".contains("INSERT INTO Book VALUES (?, ?, ?, NULL)"))
    }

    @Test("R12 another connection's lock is .busy after the timeout")
    func busy() throws {
        writer.close()
        var options = ConnectionOptions()
        options.busyTimeout = 20
        let again = try #require(try OpenedStore(.file(folder.file()), entities: [Book.self], options: options).writer)
        let other = try RawDatabase(folder.file())
        try other.run("BEGIN IMMEDIATE")
        let error = try thrown { () throws(RepositoryError) in try again.begin(.write) }
        guard case .busy(let diagnosis) = error else { return #expect(Bool(false), "\(error)") }
        #expect(diagnosis.resultCode?.primary == .busy)
        try other.run("COMMIT")
        try again.begin(.write)
        try again.rollback()
    }

    @Test("R12 a full store fails with .full, keeps its rows, and works again once there is space")
    func full() throws {
        let pages = try writer.integer("PRAGMA page_count")
        _ = try writer.integer("PRAGMA max_page_count = \(pages + 2)")
        let error = try failure("INSERT INTO Book VALUES (2, 'b', hex(zeroblob(50000)), NULL)")
        guard case .full = error else { return #expect(Bool(false), "\(error)") }
        #expect(!writer.isInTransaction)
        _ = try writer.integer("PRAGMA max_page_count = 100000")
        try writer.execute("INSERT INTO Book VALUES (2, 'b', hex(zeroblob(50000)), NULL)")
        #expect(try writer.integer("SELECT count(*) FROM Book") == 2)
    }

    @Test("R12 a reader's write is .readOnly, and a text above the limit is .tooBig")
    func readOnlyAndTooBig() throws {
        let reader = try store.makeReader()
        guard case .readOnly = try thrown(by: { () throws(RepositoryError) in try reader.execute("DELETE FROM Book") })
        else { return #expect(Bool(false)) }
        guard case .tooBig = try failure("INSERT INTO Book VALUES (2, 'b', hex(zeroblob(60000000)), NULL)") else {
            return #expect(Bool(false))
        }
        guard case .tooBig = try failure("SELECT '" + String(repeating: "x", count: 1 << 20) + "'") else {
            return #expect(Bool(false))
        }
    }

    @Test("R12 a file that lost its pages is corrupt")
    func corrupt() throws {
        for id in 2..<100 { try writer.execute("INSERT INTO Book VALUES (\(id), '\(id)', hex(zeroblob(2000)), NULL)") }
        writer.close()
        let handle = try #require(FileHandle(forUpdatingAtPath: folder.file()))
        try handle.truncate(atOffset: 3 * 4096)
        try handle.close()
        let error = try thrown { () throws(RepositoryError) in
            let reader = try OpenedStore(.file(folder.file()), access: .readOnly, entities: [Book.self]).makeReader()
            _ = try reader.rows("SELECT * FROM Book")
        }
        guard case .corrupt = error else { return #expect(Bool(false), "\(error)") }
    }

    @Test("R12 a connection that runs out of memory fails with .outOfMemory")
    func outOfMemory() {
        let error = RepositoryError.failure(.outOfMemory, "out of memory", path: "p")
        #expect(error == .outOfMemory(Diagnosis(.outOfMemory, "out of memory")))
    }

    @Test("R12 every kind of result code has its error case")
    func codes() {
        func name(_ code: Int32) -> String {
            let error = RepositoryError.failure(ResultCode(rawValue: code), "m", path: "p")
            return Mirror(reflecting: error).children.first?.label ?? "\(error)"
        }
        #expect([5, 6, 261, 517].map(name) == ["busy", "busy", "busy", "busy"])
        #expect([8, 264, 776].map(name) == ["readOnly", "readOnly", "readOnly"])
        #expect([10, 266, 522, 1034].map(name) == ["io", "io", "io", "io"])
        #expect([11, 267].map(name) == ["corrupt", "corrupt"])
        #expect(
            [13, 14, 18, 26, 7, 1, 21].map(name) == [
                "full", "cannotOpen", "tooBig", "notADatabase", "outOfMemory", "misuse", "misuse",
            ])
        #expect(name(9) == "The work was cancelled.")
    }

    @Test("Every error prints as a sentence")
    func sentences() {
        struct Odd: Error {}
        let diagnosis = Diagnosis(.constraintUnique, "m", sql: "SELECT 1")
        let constraints = ConstraintKind.allCases.map {
            RepositoryError.constraint(kind: $0, columns: ["a", "b"], diagnosis: diagnosis)
        }
        let others: [RepositoryError] = [
            .notFound(entity: "Book", id: "1"), .conflict(items: [FailedItem(entity: "E", id: "1")]), .busy(diagnosis),
            .full(diagnosis), .readOnly(detail: "d"),
            .corrupt(diagnosis), .notADatabase(path: "p"), .wrongKey(path: "p"), .cannotOpen(path: "p", reason: "r"),
            .schemaMismatch(detail: "d"), .migrationFailed(step: "s", by: ThrownError(Odd())),
            .decoding(entity: "E", column: "c", detail: "d"),
            .overflow(entity: "E", column: "c", detail: "d"), .encoding(entity: "E", column: "c", detail: "d"),
            .commitOutcomeUnknown(diagnosis), .closed, .cancelled,
            .transactionEnded, .tooBig(detail: "d"), .ownedElsewhere(path: "p", detail: "d"), .io(diagnosis),
            .outOfMemory(diagnosis), .misuse(detail: "d"), .unexpected(diagnosis), .rolledBack(by: ThrownError(Odd())),
            .bodyThrew(ThrownError(Odd())),
            .sourceFailed(stored: 3, by: ThrownError(Odd())),
        ]
        let sentences = (constraints + others).map { "\($0)" }
        #expect(Set(sentences).count == sentences.count)
        for sentence in sentences {
            #expect(sentence.first?.isUppercase == true && sentence.contains("."))
            #expect(!sentence.contains("RepositoryError"))
        }
    }

    @Test("A diagnosis names its engine, its code and its message, whichever engine it is")
    func diagnoses() {
        let ours = Diagnosis(.constraintUnique, "m", sql: "SELECT 1")
        #expect(ours.engine == "SQLite" && ours.code == "2067" && ours.resultCode == .constraintUnique)
        #expect("\(ours)" == "SQLite 2067: m in: SELECT 1")
        let other = Diagnosis(engine: "Other", code: "23505", message: "duplicate key")
        #expect(other.resultCode == nil)
        #expect("\(other)" == "Other 23505: duplicate key")
        #expect("\(RepositoryError.unexpected(other))".hasPrefix("The store failed for an unknown reason (Other 23505"))
    }

    @Test("A primary code matches its extended codes, and an extended one only itself")
    func resultCodes() {
        #expect(ResultCode.constraint ~= .constraintUnique)
        #expect(ResultCode.constraint ~= .constraint)
        #expect(ResultCode.constraintUnique ~= .constraintUnique)
        #expect(!(ResultCode.constraintUnique ~= .constraint))
        #expect(!(ResultCode.busy ~= .locked))
        #expect(ResultCode(rawValue: 517).primary == .busy)
        #expect("\(ResultCode.busy)" == "database is locked (5)")
    }
}

private struct Book: Entity {
    let id: UInt8
    var title: String
    var text: String
    var sequel: UInt8?
    static let schema = Schema(
        Column("id", \Book.id), Column("title", \.title, .unique), Column("text", \.text),
        Column("sequel", \.sequel, .references(Book.self)), make: Book.init)
}
