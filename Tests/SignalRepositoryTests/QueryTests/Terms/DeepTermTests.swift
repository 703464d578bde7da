import Foundation
import Signals
import Testing

@testable import RepositoryCore
@testable import SignalRepository

/// Deeply nested terms; the stack of SQLite's parser has a hundred entries.
@Suite("Deep terms", .timeLimit(.minutes(10))) struct DeepTermTests {
    private struct Figure: Entity, Equatable {
        let id: Int
        var whole: Int
        var real: Double
        var text: String
        var missing: Int?
        static let schema = Schema(
            Column("id", \Figure.id), Column("whole", \.whole), Column("real", \.real), Column("text", \.text),
            Column("missing", \.missing), make: Figure.init)
    }

    private typealias Row = Columns<Figure, Figure>

    private func with(
        _ kind: StoreKind, _ figures: [Figure], _ body: (any Repository) async throws -> Void
    ) async throws {
        try await withRepository(kind, [Figure.self]) { repository async throws in
            try await repository.insert(figures).value()
            try await body(repository)
        }
    }

    private func nested<Value>(
        _ count: Int, _ first: Term<Figure, Value>, _ step: (Term<Figure, Value>) -> Term<Figure, Value>
    ) -> Term<Figure, Value> { (0..<count).reduce(first) { term, _ in step(term) } }

    private static let figure = Figure(id: 1, whole: 3, real: 0.5, text: "a", missing: nil)

    @Test(
        "S-M7 A chain of one operator works up to 200 levels, and is .tooBig beyond",
        arguments: [20, 23, 40, 85, 199, 201], [StoreKind.memory, .postgres])
    func chains(count: Int, kind: StoreKind) async throws {
        try await with(kind, [Self.figure]) { repository async throws in
            let columns = Figure.queryTerms
            let wholes: [(Term<Figure, Int>, Int)] = [
                (nested(count, columns.whole) { $0 + 1 }, 3 + count),
                (nested(count, columns.whole) { $0 + columns.whole }, 3 + 3 * count),
                (nested(count, columns.whole) { 1 + $0 }, 3 + count),
                (nested(count, columns.whole) { $0 - 2 }, 3 - 2 * count),
                (nested(count, columns.whole) { $0 + (columns.missing ?? 2) }, 3 + 2 * count),
            ]
            for (term, expected) in wholes { try await expect(term, expected, count, repository) }
            let reals: [(Term<Figure, Double>, Double)] = [
                (nested(count, columns.real) { $0 + 0.25 }, 0.5 + 0.25 * Double(count)),
                (nested(count, columns.real) { 0.25 + $0 }, 0.5 + 0.25 * Double(count)),
                (nested(count, columns.real) { $0 * 1 }, 0.5),
                (
                    nested(count, columns.real) { $0 * columns.real },
                    (0..<count).reduce(0.5) { power, _ in power * 0.5 }
                ),
            ]
            for (term, expected) in reals { try await expect(term, expected, count, repository) }
            if kind == .postgres { return }
            let texts: [(Term<Figure, String>, String)] = [
                (nested(count, columns.text) { $0 + "b" }, "a" + String(repeating: "b", count: count)),
                (nested(count, columns.text) { "b" + $0 }, String(repeating: "b", count: count) + "a"),
                (nested(count, columns.text) { $0 + columns.text }, String(repeating: "a", count: count + 1)),
            ]
            for (term, expected) in texts { try await expect(term, expected, count, repository) }
        }
    }

    private func expect<Value: ColumnValue & Equatable>(
        _ term: Term<Figure, Value>, _ expected: Value, _ count: Int, _ repository: any Repository,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let query = Figure.all.select { _ in term }
        guard count <= 200 else {
            return await expectFailure(\.isTooBig, sourceLocation: sourceLocation) {
                try await repository.fetch(query).value()
            }
        }
        #expect(try await repository.fetch(query).value() == [expected], sourceLocation: sourceLocation)
        let found = try await repository.count(Figure.all.where { _ in term == expected }).value()
        #expect(found == 1, sourceLocation: sourceLocation)
    }

    @Test("S-M7 A term that the parser cannot handle is .tooBig, never .misuse", arguments: [4, 30, 60, 100, 150, 200])
    func parser(count: Int) async throws {
        try await with(.memory, [Self.figure]) { repository async throws in
            let columns = Figure.queryTerms
            let queries: [SelectQuery<Int>] = [
                Figure.all.select { _ in nested(count, columns.text) { $0.uppercased() }.count },
                Figure.all.select { _ in nested(count, columns.text) { $0.dropFirst(0) + "b" }.count },
                Figure.all.select { _ in nested(count, columns.whole) { 1 - $0 } },
                Figure.all.select { _ in nested(count, columns.whole) { -$0 } },
                Figure.all.select { _ in nested(count, columns.whole) { $0.magnitude } },
                Figure.all.select { _ in nested(count, columns.whole) { ($0 % 7) / 1 } },
                Figure.all.select { _ in nested(count, columns.whole) { ($0 + 1) * 1 } },
                Figure.all.select { _ in nested(count, columns.whole) { $0 * 1 } },
            ]
            for (number, query) in queries.enumerated() {
                do {
                    #expect(try await repository.fetch(query).value().count == 1)
                } catch RepositoryError.tooBig {
                    #expect(count > 4, "\(number)")
                } catch {
                    Issue.record("\(number): \(error)")
                }
            }
            let condition = (0..<count).reduce(Condition<Figure> { $0.whole == 3 }) { condition, number in
                let id = Condition<Figure> { $0.id == (number.isMultiple(of: 2) ? 1 : 2) }
                return number.isMultiple(of: 2) ? condition && id : condition || id
            }
            do {
                #expect(try await repository.count(Figure.self) { _ in condition }.value() == 1)
            } catch RepositoryError.tooBig {
                #expect(count > 4)
            }
        }
    }

    @Test("S-M7 An overflow anywhere in a chain is found, whatever comes after it")
    func overflow() async throws {
        let figures = [Figure(id: 1, whole: .max, real: 1, text: "", missing: nil)]
        try await with(.memory, figures) { repository async throws in
            let columns = Figure.queryTerms
            let (whole, present) = (columns.whole, columns.missing ?? 0)
            let (more, twice) = (whole + 1, whole * 2)
            let power = nested(40, whole) { $0 * whole }
            let long = nested(60, whole) { $0 + 1 }
            let swapped = 1 + whole
            let (zero, sum) = (more * 0, more + present)
            let terms: [Term<Figure, Int>] = [
                more - 1, more - whole, swapped - 2, twice * 0, twice - whole, power * 0, zero + 1, sum - whole,
                long - 60,
            ]
            for (number, term) in terms.enumerated() {
                await expectFailure({ error in
                    if error.isOverflow { return true }
                    Issue.record("\(number): \(error)")
                    return false
                }) { try await repository.fetch(Figure.all.select { _ in term }).value() }
                await expectFailure(\.isOverflow) {
                    try await repository.update(Figure.self, set: [.set(\.whole, to: term)]) { _ in .true }.value()
                }
            }
            // A missing value does not hide the overflow.
            let hidden: Term<Figure, Int?> = columns.whole + 1 + columns.missing
            await expectFailure(\.isOverflow) {
                try await repository.fetch(Figure.all.select { _ in hidden }).value()
            }
        }
    }

    @Test("B20 Computing with a stored value that is not a whole number is .decoding, not .overflow")
    func notWhole() async throws {
        let folder = try TemporaryFolder()
        let database = try RawDatabase(folder.file("others.db"))
        try database.run(
            """
            CREATE TABLE Figure (id INTEGER PRIMARY KEY, whole INTEGER, real REAL, text TEXT, missing INTEGER);
            INSERT INTO Figure VALUES (1, 2.5, 1, '', NULL)
            """)
        database.close()
        let repository = try SQLiteRepository(adopting: folder.file("others.db"), entities: Figure.self)
        await expectFailure({ error in
            guard case .decoding(_, _, let detail, _) = error else { return false }
            return detail.contains("expected an integer, found real")
        }) { try await repository.fetch(Figure.all.select { $0.whole + 1 }).value() }
        await closed(repository)
    }

    @Test("S-L9 More sort keys than SQLite allows are .tooBig")
    func sortKeys() async throws {
        try await with(.memory, [Self.figure]) { repository async throws in
            let query = Figure.all.sorted(Array(repeating: Ordering(\Figure.whole), count: 20_000))
            await expectFailure(\.isTooBig) { try await repository.fetch(query).value() }
        }
    }
}
