import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

/// The part of an error that everyone may read, and the part for its developer.
@Suite("N4 Summaries of errors", .timeLimit(.minutes(10))) struct SummaryTests {
    @Test("N4 Every case has a summary without SQL, code or path, whatever its parts are", arguments: 0..<60)
    func everyCase(seed: Int) {
        var random = ErrorMaker(seed: UInt64(seed))
        for number in 0..<ErrorMaker.count {
            for _ in 0..<8 {
                let error = random.error(number)
                #expect(ErrorMaker.number(of: error) == number)
                expectRules(error)
            }
        }
    }

    @Test("N4 Errors from an engine have such a summary, and each is one sentence", arguments: StoreKind.allCases)
    func realErrors(kind: StoreKind) async throws {
        let place = try StorePlace(kind)
        let repository = try place.open([Shelf.self, Copy.self, Short.self])
        try await repository.insert([Shelf(id: 1, name: "a", price: 1), Shelf(id: 2, name: "b", price: 2)]).value()
        try await repository.create(Copy(id: 1, shelf: 1)).value()
        var errors = try await refused(by: repository)
        await closed(repository)
        errors.append(try #require(await failure { try await repository.count(Shelf.self).value() }))
        if kind != .memory { errors += try await refusedOpenings(of: place) }
        errors.forEach(expectRules)
        let cases = Set(errors.map(ErrorMaker.number))
        #expect(cases.count >= (kind == .memory ? 10 : 12), "\(errors)")
    }

    @Test("N4 The summary of a refusal omits the statement; the description has it without its values")
    func examples() async throws {
        try await withSQLite(.memory, [Shelf.self]) { repository in
            try await repository.create(Shelf(id: 1, name: "a", price: 1)).value()
            let twice = try #require(
                await failure { try await repository.create(Shelf(id: 2, name: "a", price: 1)).value() })
            #expect(twice.summary == "The change was refused: another item already has this value of name.")
            #expect("\(twice)".contains("SQLite 2067") && "\(twice)".contains("INSERT INTO"))
            #expect("\(twice)".hasSuffix("It is about Shelf 2."))
            let unknown = try #require(await failure { try await repository.count(Copy.self).value() })
            #expect(unknown.summary == "The program made an invalid call.")
            #expect("\(unknown)".contains("as in entities: …, Copy.self (SQLite 1"))
        }
        let held = RepositoryError.ownedElsewhere(path: "/srv/x.sqlite", detail: "another process (4711) has it open")
        #expect(held.summary == "The file is in use.")
        #expect(
            "\(held)" == "The file is in use: another process (4711) has it open (/srv/x.sqlite). "
                + "Try again when it is free, or open it read-only.")
    }

    @Test("N4 An error inside another is a part of its sentence, with one full stop")
    func nested() {
        let inner = RepositoryError.misuse(detail: "the decode closure leaves out b.")
        let outer = RepositoryError.migrationFailed(step: "the third", by: ThrownError(inner))
        #expect(
            "\(outer)" == "A migration failed, and the store was left as it is: "
                + "\"the third\": the decode closure leaves out b.")
        let refused = RepositoryError.constraint(
            kind: .unique, columns: ["name"], diagnosis: Diagnosis(engine: "E", code: "1", message: "m"),
            item: FailedItem(entity: "Film", id: "7"))
        #expect(
            "\(RepositoryError.rolledBack(by: ThrownError(refused)))"
                == "The transaction was rolled back, because its body threw an error: the change was refused: "
                + "another item already has this value of name (E 1: m), about Film 7.")
    }

    @Test("N4 A thrown error with a description for users becomes the summary")
    func ownWords() {
        struct Empty: LocalizedError { var errorDescription: String? { "The cart is empty." } }
        struct Odd: Error {}
        #expect(RepositoryError.rolledBack(by: ThrownError(Empty())).summary == "The cart is empty.")
        #expect(RepositoryError.bodyThrew(ThrownError(Empty())).summary == "The cart is empty.")
        #expect(RepositoryError.bodyThrew(ThrownError(Odd())).summary == "The program's closure threw an error.")
    }

    @Test("N4 A counted noun is singular or plural, as its number says")
    func counted() {
        #expect([0, 1, 2].map { $0.counted("value") } == ["0 values", "1 value", "2 values"])
    }

    private func failure<Value>(_ body: () async throws -> Value) async -> RepositoryError? {
        do { _ = try await body() } catch { return error as? RepositoryError }
        return nil
    }

    private func refused(by repository: any Repository) async throws -> [RepositoryError] {
        struct Odd: Error {}
        let calls: [() async throws -> Void] = [
            { try await repository.create(Shelf(id: 1, name: "c", price: 1)).value() },
            { try await repository.create(Shelf(id: 3, name: "a", price: 1)).value() },
            { try await repository.create(Shelf(id: 3, name: "c", price: -1)).value() },
            {
                try await repository.insert([
                    Shelf(id: 3, name: "c", price: Decimal(sign: .plus, exponent: -9, significand: 1))
                ]).value()
            },
            { try await repository.create(Copy(id: 2, shelf: 9)).value() },
            { try await repository.delete(Shelf.self, id: 1).value() },
            { _ = try await repository.read(Shelf.self, id: 9).value() },
            { _ = try await repository.count(Film.self).value() },
            { try await repository.create(Short(id: 1, b: 2)).value() },
            { _ = try await repository.transaction { try $0.execute("SELEC 1 FROM \"Shelf\"") }.value() },
            { _ = try await repository.transaction { try $0.execute("DELETE FROM \"Shelf\" WHERE id = ?") }.value() },
            { _ = try await repository.transaction { try $0.execute("SELECT 1", 2) }.value() },
            { try await repository.transaction { _ in throw Odd() }.value() },
            { try await repository.read { _ in throw Odd() }.value() },
            { try await repository.transaction { $0.cancel() }.value() },
            { _ = try await repository.insert(from: Signal<Shelf, Odd>.fail(Odd()), batch: 2).last().value() },
            {
                try await repository.create(Shelf(id: 3, name: String(repeating: "x", count: 70 << 20), price: 1))
                    .value()
            },
        ]
        var errors: [RepositoryError] = []
        for (number, call) in calls.enumerated() {
            errors.append(try #require(await failure(call), "call \(number) should fail"))
        }
        return errors
    }

    private func refusedOpenings(of place: StorePlace) async throws -> [RepositoryError] {
        let wrong = Migration("rename \"x\"") { try $0.renameColumn("none", to: "other", of: "Shelf") }
        return [
            try place.refusal([OtherShelf.self, Copy.self]),
            try place.refusal([Shelf.self, Copy.self], [wrong]),
            try thrown { () throws(RepositoryError) in
                try SQLiteRepository(.file("/nowhere/at/all/x.sqlite"), entities: [Shelf.self])
            },
        ]
    }

    private func expectRules(_ error: RepositoryError) {
        let (summary, text) = (error.summary, "\(error)")
        #expect(error.errorDescription == summary && (error as any Error).localizedDescription == summary)
        #expect(summary.first?.isUppercase == true && summary.hasSuffix(".") && !summary.hasSuffix(".."), "\(summary)")
        for part in [
            "SQLite", "PostgreSQL", "\"", "/", "..", "\n", ". ", "The program made", "SELECT", "INSERT", "DELETE",
        ] {
            let isFirst = part == "The program made" && summary.hasPrefix(part)
            #expect(isFirst || !summary.contains(part), "\(part): \(summary)")
        }
        #expect(summary.firstMatch(of: /\d{4}|\b\d[A-Z0-9]{4}\b/) == nil, "\(summary)")
        #expect(!text.contains("..") && text.hasSuffix("."), "\(text)")
        #expect(text.firstMatch(of: #/: (The|No|A) /#) == nil, "\(text)")
        #expect(text.components(separatedBy: "invalid call").count <= 2, "\(text)")
        #expect(
            text.firstMatch(of: /\b1 (value|key|column|parameter|item|row|byte|decimal place)s\b/) == nil, "\(text)")
        if let advice = error.recoverySuggestion {
            #expect(text.components(separatedBy: advice).count == 2, "\(text)")
            #expect(!summary.contains(advice.withoutStop), "\(summary)")
        }
    }
}

/// Makes errors of every case, with the worst parts that the library and its engines put there.
private struct ErrorMaker {
    static let count = 30
    private var random: SeededGenerator
    private var depth = 0

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private mutating func detail() -> String {
        [
            "the reader takes 3 of 4 values: SELECT \"a\" FROM \"T\"", "PostgreSQL 42601: syntax error in: SELEC 1",
            "it is held by /var/lib/app/x.sqlite", "it ends with a full stop.", "it ends with two..", "", "short",
            depth < 3 ? error(Int.random(in: 0..<Self.count, using: &random)).clause : "deep",
        ].randomElement(using: &random) ?? ""
    }

    private mutating func name() -> String {
        ["title", "Book", "größe", "home.city", "a > 0", "lower(email)", "SELECT 1", "parameter 1", "count(*)", ""]
            .randomElement(using: &random) ?? ""
    }

    private mutating func entity() -> String { ["Book", "Film", "OrderLine"].randomElement(using: &random) ?? "" }

    private mutating func diagnosis() -> Diagnosis {
        Diagnosis(
            engine: ["SQLite", "PostgreSQL"].randomElement(using: &random) ?? "",
            code: ["2067", "23505", "XX000"].randomElement(using: &random) ?? "", message: detail().withoutStop,
            sql: Bool.random(using: &random) ? "INSERT INTO \"T\" VALUES (?)" : nil,
            isRestriction: Bool.random(using: &random))
    }

    private mutating func item() -> FailedItem? {
        guard Bool.random(using: &random) else { return nil }
        return FailedItem(
            entity: entity(), id: ["7", "x.", nil].randomElement(using: &random) ?? nil,
            index: [3, nil].randomElement(using: &random) ?? nil)
    }

    private mutating func cause() -> ThrownError {
        struct Odd: Error, CustomStringConvertible { let description: String }
        depth += 1
        defer { depth -= 1 }
        guard depth < 3, Bool.random(using: &random) else { return ThrownError(Odd(description: detail())) }
        return ThrownError(error(Int.random(in: 0..<Self.count, using: &random)))
    }

    mutating func error(_ number: Int) -> RepositoryError {
        depth += 1
        defer { depth -= 1 }
        return number < 16 ? early(number) : late(number)
    }

    private mutating func early(_ number: Int) -> RepositoryError {
        switch number {
        case 0: .notFound(entity: entity(), id: "7")
        case 1:
            .constraint(
                kind: ConstraintKind.allCases.randomElement(using: &random) ?? .other,
                columns: (0..<Int.random(in: 0...2, using: &random)).map { _ in name() }, diagnosis: diagnosis(),
                item: item())
        case 2: .conflict(items: [FailedItem(entity: entity(), id: "1"), FailedItem(entity: entity(), index: 2)])
        case 3: .busy(diagnosis())
        case 4: .full(diagnosis())
        case 5: .readOnly(detail: detail())
        case 6: .corrupt(diagnosis())
        case 7: .notADatabase(path: "/var/lib/x.sqlite")
        case 8: .wrongKey(path: "/var/lib/x.sqlite")
        case 9: .cannotOpen(path: "/var/lib/x.sqlite", reason: detail())
        case 10: .schemaMismatch(detail: detail())
        case 11: .migrationFailed(step: "SELECT 1.", by: cause())
        case 12: .decoding(entity: entity(), column: name(), detail: detail(), item: item())
        case 13: .overflow(entity: entity(), column: name(), detail: detail())
        case 14: .encoding(entity: entity(), column: name(), detail: detail(), item: item())
        default: .commitOutcomeUnknown(diagnosis())
        }
    }

    private mutating func late(_ number: Int) -> RepositoryError {
        switch number {
        case 16: .closed
        case 17: .cancelled
        case 18: .noValue
        case 19: .transactionEnded
        case 20: .tooBig(detail: detail(), item: item())
        case 21: .fileMoved(path: "/var/lib/x.sqlite")
        case 22: .ownedElsewhere(path: "/var/lib/x.sqlite", detail: detail())
        case 23: .io(diagnosis())
        case 24: .outOfMemory(diagnosis())
        case 25: .unexpected(diagnosis())
        case 26: .misuse(detail: detail())
        case 27: .bodyThrew(cause())
        case 28: .rolledBack(by: cause())
        default: .sourceFailed(stored: Int.random(in: 0...3, using: &random), by: cause())
        }
    }

    /// A new case does not compile until `error(_:)` makes it.
    static func number(of error: RepositoryError) -> Int {
        switch error {
        case .notFound: 0
        case .constraint: 1
        case .conflict: 2
        case .busy: 3
        case .full: 4
        case .readOnly: 5
        case .corrupt: 6
        case .notADatabase: 7
        case .wrongKey: 8
        case .cannotOpen: 9
        case .schemaMismatch: 10
        case .migrationFailed: 11
        case .decoding: 12
        case .overflow: 13
        case .encoding: 14
        case .commitOutcomeUnknown: 15
        case .closed: 16
        case .cancelled: 17
        case .noValue: 18
        case .transactionEnded: 19
        case .tooBig: 20
        case .fileMoved: 21
        case .ownedElsewhere: 22
        case .io: 23
        case .outOfMemory: 24
        case .unexpected: 25
        case .misuse: 26
        case .bodyThrew: 27
        case .rolledBack: 28
        case .sourceFailed: 29
        }
    }
}

private struct Shelf: Entity, Equatable {
    let id: Int
    var name: String
    var price: Decimal

    static let schema = Schema(
        Column("id", \Shelf.id), Column("name", \.name, .unique), Column("price", \.price),
        clauses: [.check("price") { $0.price >= 0 }], make: Shelf.init)
}

private struct OtherShelf: Entity {
    let id: Int
    var name: Int
    var price: Decimal

    static let entityName = "Shelf"
    static let schema = Schema(
        Column("id", \OtherShelf.id), Column("name", \.name), Column("price", \.price),
        make: OtherShelf.init)
}

private struct Copy: Entity {
    let id: Int
    var shelf: Int

    static let schema = Schema(
        Column("id", \Copy.id), Column("shelf", \.shelf, .references(Shelf.self)), make: Copy.init)
}

private struct Short: Entity {
    let id: Int
    var b: Int

    static let schema = Schema<Short>(
        columns: {
            Column("id", \.id)
            Column("b", \.b)
        },
        decode: { row in Short(id: try row.next(), b: 0) })
}
