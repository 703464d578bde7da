import Foundation
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Custom functions and collations", .timeLimit(.minutes(5))) struct CustomFunctionsTests {
    private struct Odd: Error, Equatable {}

    private var configuration: RepositoryConfiguration {
        var configuration = RepositoryConfiguration()
        configuration.functions = [
            SQLFunction("initial") { (text: String) in String(text.prefix(1)) },
            SQLFunction("half") { (number: Int) throws -> Int in
                guard number % 2 == 0 else { throw Odd() }
                return number / 2
            },
            SQLFunction("same") { (text: String?, data: Data?) in text.map { Data($0.utf8) } == data },
            SQLFunction("echo_text") { (text: String) in text },
            SQLFunction("echo_data") { (data: Data) in data },
            SQLFunction("echo_real") { (number: Double?) in number },
            SQLFunction("none") { () in Int?.none },
        ]
        configuration.collations = [SQLCollation("by_count") { ($0.count, $0) < ($1.count, $1) }]
        return configuration
    }

    private func open(_ kind: StoreKind, _ folder: TemporaryFolder) throws -> SQLiteRepository {
        try SQLiteRepository(
            kind == .memory ? .inMemory : .file(folder.file()), entities: Film.self, configuration: configuration)
    }

    @Test("They work in conditions, raw SQL, transactions and live queries", arguments: StoreKind.local)
    func used(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let repository = try open(kind, folder)
        let lists = repository.fetchSubscription(Film.where(.raw("initial(title) = ?", "e\u{301}"))).map(\.count)
            .record()
        #expect(await lists.values(1) == [0])
        try await repository.insert([
            Film.numbered(1, title: "e\u{301}tude"), Film.numbered(2, title: "etude"), Film.numbered(3, title: "zz"),
        ]).value()
        #expect(await lists.last(where: { $0 == 1 }) == 1)
        let initials = try await repository.rows("SELECT initial(title) FROM Film ORDER BY id", as: String.self).value()
        #expect(initials == ["e\u{301}", "e", "z"])
        let sorted = try await repository.rows(
            "SELECT title FROM Film ORDER BY title COLLATE by_count", as: String.self
        ).value()
        #expect(sorted.map(\.count) == [2, 5, 5])
        try await repository.transaction { try $0.execute("UPDATE Film SET studio = initial(title)") }.value()
        #expect(try await repository.count(Film.self) { $0.studio == "z" }.value() == 1)
        await closed(repository)
    }

    @Test("Values pass in and out unchanged", arguments: TextZoo.texts)
    func values(text: String) async throws {
        let repository = try open(.memory, TemporaryFolder())
        let texts = try await repository.rows("SELECT echo_text(?)", text, as: String.self).value()
        #expect(texts.map { ExactText($0) } == [ExactText(text)])
        let data = Data(text.utf8)
        #expect(try await repository.rows("SELECT echo_data(?)", data, as: Data.self).value() == [data])
        #expect(try await repository.rows("SELECT same(?, ?)", text, data, as: Bool.self).value() == [true])
        for number in [0, 1.5, -.infinity, .leastNonzeroMagnitude] {
            #expect(try await repository.rows("SELECT echo_real(?)", number, as: Double.self).value() == [number])
        }
        #expect(
            try await repository.rows("SELECT none(), echo_real(NULL)", as: (Int?, Double?).self).value()[0] == (
                nil, nil
            ))
        await closed(repository)
    }

    @Test("An error that a function throws fails the statement and stores nothing; so does a value of another type")
    func failures() async throws {
        let repository = try open(.memory, TemporaryFolder())
        try await repository.insert((0..<4).map { Film.numbered($0) }).value()
        for sql in ["SELECT half(3)", "SELECT half(boxOffice / 10000) FROM Film ORDER BY boxOffice"] as [SQL] {
            await expectFailure({ if case .bodyThrew(let thrown) = $0 { thrown.error is Odd } else { false } }) {
                try await repository.rows(sql, as: Int.self).value()
            }
        }
        await expectFailure({ if case .bodyThrew = $0 { true } else { false } }) {
            try await repository.rows("SELECT half('x')", as: Int.self).value()
        }
        await expectFailure({ if case .bodyThrew = $0 { true } else { false } }) {
            try await repository.transaction { try $0.execute("UPDATE Film SET studio = half(boxOffice / 10000)") }
                .value()
        }
        #expect(try await repository.count(Film.self) { $0.studio != nil }.value() == 0)
        #expect(try await repository.rows("SELECT half(4)", as: Int.self).value() == [2])
        // Any other failure is not attributed to a function.
        await expectFailure(\.isConstraint) { try await repository.create(Film.numbered(1)).value() }
        // A file must not depend on a custom function.
        await expectFailure(\.isMisuse) {
            try await repository.transaction { store in
                try store.execute("CREATE VIEW initials AS SELECT initial(title) AS initial FROM Film")
                _ = try store.rows("SELECT * FROM initials")
            }.value()
        }
        await closed(repository)
    }

    @Test(
        "S-L9 Opening refuses a name that is taken, invalid, too long or used twice, and a function of Decimal"
    )
    func refused() throws {
        let faulty: [[SQLFunction]] = [
            [SQLFunction("lower") { (text: String) in text }], [SQLFunction("") { (text: String) in text }],
            [SQLFunction("signal_repository_x") { (text: String) in text }],
            [SQLFunction("a") { (text: String) in text }, SQLFunction("A") { (text: String) in text }],
            [SQLFunction("price") { (number: Decimal) in number }],
        ]
        let long = String(repeating: "f", count: 300)
        var tooLong = RepositoryConfiguration()
        tooLong.functions = [SQLFunction(long) { (text: String) in text }]
        tooLong.collations = [SQLCollation(long, isBefore: <)]
        let refusal = try thrown { () throws(RepositoryError) in
            try SQLiteRepository(.inMemory, entities: Film.self, configuration: tooLong)
        }
        #expect("\(refusal)".contains("has 300 bytes, at most 255 are allowed"))
        for functions in faulty {
            var configuration = RepositoryConfiguration()
            configuration.functions = functions
            let error = try thrown { () throws(RepositoryError) in
                try SQLiteRepository(.inMemory, entities: Film.self, configuration: configuration)
            }
            #expect(error.isMisuse)
        }
        var configuration = RepositoryConfiguration()
        configuration.collations = [SQLCollation("NOCASE", isBefore: <)]
        let error = try thrown { () throws(RepositoryError) in
            try SQLiteRepository(.inMemory, entities: Film.self, configuration: configuration)
        }
        #expect(error.isMisuse)
    }
}
