import Foundation
import SignalRepository
import Signals
import Testing

@Suite("R12 The item of an error", .timeLimit(.minutes(10))) struct FailedItemTests {
    private func error(
        _ repository: any Repository, _ body: @escaping @Sendable (WriteTransaction) throws -> Void
    ) async throws -> RepositoryError {
        do {
            try await repository.transaction(body).value()
        } catch {
            return error
        }
        throw Succeeded()
    }

    private struct Succeeded: Error {}

    @Test("R12 R13 The error of a batch names the failed item by id and index", arguments: StoreKind.allCases)
    func batch(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let films = (0..<3000).map { Film.numbered($0) }
            do throws(RepositoryError) {
                try await repository.insert((films + [films[7]]).lazy.map { $0 }).value()
                Issue.record("A key was stored twice.")
            } catch {
                #expect(error.item == FailedItem(entity: "Film", id: "\(Film.id(7))", index: 3000))
                guard case .constraint(.primaryKey, ["id"], let diagnosis, _) = error else {
                    return #expect(Bool(false), "\(error)")
                }
                #expect(kind == .postgres ? diagnosis.code == "23505" : diagnosis.code == "1555")
                #expect("\(error)".hasSuffix("It is about Film \(Film.id(7)) at index 3000."))
            }
            await expectFailure({ $0.isEncoding && $0.item?.index == 2 && $0.item?.id == "\(Film.id(9))" }) {
                let exact = Decimal(sign: .plus, exponent: -9, significand: 1)
                return try await repository.insertReturningIDs(
                    [films[0], films[1], .numbered(9, boxOffice: exact)]
                ).value()
            }
            let count = try await repository.count(Film.self).value()
            #expect(count == 0)
        }
    }

    @Test("R12 The index of an item counts through all batches of a signal", arguments: StoreKind.allCases)
    func batches(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let films = (0..<10).map { Film.numbered($0) } + [Film.numbered(4)]
            let end = await repository.insert(from: Signal<Film, Never>.sequence(films), batch: 4).record().end()
            guard case .failure(let error)? = end else { return #expect(Bool(false), "\(String(describing: end))") }
            #expect(error.item == FailedItem(entity: "Film", id: "\(Film.id(4))", index: 10))
        }
    }

    @Test("R12 Every all-or-nothing endpoint names the failed item", arguments: StoreKind.allCases)
    func atomically(kind: StoreKind) async throws {
        try await withRepository(kind, [Film.self, Verdict.self]) { repository in
            let films = (0..<4).map { Film.numbered($0) }
            try await repository.insert(films).value()
            let second = FailedItem(entity: "Film", id: "\(Film.id(2))", index: 1)
            let failing: [@Sendable (WriteTransaction) throws -> Void] = [
                { try $0.createAtomically([.numbered(8), films[2]]) },
                { try $0.insert([.numbered(8), films[2]]) },
                { try $0.updateAtomically([films[1], .numbered(2, boxOffice: .greatestFiniteMagnitude)]) },
                { try $0.upsertAtomically([films[1], .numbered(2, boxOffice: .greatestFiniteMagnitude)]) },
            ]
            for body in failing {
                #expect(try await error(repository, body).item == second)
            }
            try await repository.create(Verdict(id: 1, film: Film.id(2))).value()
            #expect(
                try await error(repository) { try $0.deleteAtomically([films[1], films[2]]) }.item == second)
            #expect(
                try await error(repository) { try $0.updateAtomically([films[1], .numbered(9)]) }.item
                    == FailedItem(entity: "Film", id: "\(Film.id(9))"))
        }
    }

    @Test("R12 A single item is named without an index, an item of a report with one", arguments: StoreKind.allCases)
    func single(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.create(Film.numbered(1)).value()
            #expect(
                try await error(repository) { try $0.create(Film.numbered(1)) }.item
                    == FailedItem(entity: "Film", id: "\(Film.id(1))"))
            let report = try await repository.create([Film.numbered(0), .numbered(1), .numbered(2)]).value()
            #expect(report.failed.map(\.error.item?.index) == [1])
        }
    }

    @Test("R12 The error for an unreadable stored value names its item", arguments: StoreKind.allCases)
    func unreadable(kind: StoreKind) async throws {
        try await withRepository(kind, [Measure.self]) { repository in
            try await repository.insert((0..<9).map { Measure.numbered($0) }).value()
            try await repository.transaction { try $0.execute(Measure.spoil, 5) }.value()
            let known = FailedItem(entity: "Measure", id: "5")
            await expectFailure({ $0.isDecoding && $0.item == known }) {
                try await repository.fetch(Measure.all.sorted(by: \.date)).value()
            }
            await expectFailure({ $0.isDecoding && $0.item == known }) {
                try await repository.read(Measure.self, id: 5).value()
            }
            await expectFailure({ $0.isDecoding && $0.item?.index == 2 && $0.item?.id == known.id }) {
                try await repository.readAtomically(Measure.self, ids: [1, 2, 5]).value()
            }
        }
    }

    @Test("R12 An error that is not about a single item has none")
    func none() {
        let diagnosis = Diagnosis(engine: "SQLite", code: "13", message: "m")
        #expect(RepositoryError.full(diagnosis).item == nil)
        #expect(RepositoryError.constraint(kind: .check, columns: [], diagnosis: diagnosis).item == nil)
        #expect(RepositoryError.notFound(entity: "Film", id: "1").item == FailedItem(entity: "Film", id: "1"))
        #expect("\(FailedItem(entity: "Film", index: 3))" == "Film of unknown id at index 3")
    }
}

private struct Verdict: Entity {
    let id: Int
    var film: UUID
    static let schema = Schema(
        Column("id", \Verdict.id), Column("film", \.film, .references(Film.self)), make: Verdict.init)
}
