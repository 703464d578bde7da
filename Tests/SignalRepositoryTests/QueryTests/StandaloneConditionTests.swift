import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Standalone conditions") struct StandaloneConditionTests {
    /// An entity that refers to itself, so that each `exists` uses its table again.
    struct Worker: Entity, Equatable {
        let id: Int
        let bossID: Int?
        let pay: Int
        let notes: String

        static let schema = Schema(
            Column("id", \Worker.id), Column("bossID", \.bossID), Column("pay", \.pay), Column("notes", \.notes),
            search: [\.notes], clauses: [.check("poor", { _ in isPaid })], make: Worker.init)

        static let isPaid = Condition<Worker> { $0.pay > 0 }
    }

    /// A condition, which can be written in more than one way.
    indirect enum Question {
        case paidMore(than: Int)
        case paidMoreThanBoss
        /// Another report of the same boss is paid more than the worker.
        case colleaguePaidMore
        case noted(String)
        case hasReports(Question, Writing)
        case both(Question, Question)
        case not(Question)

        /// The place where the condition on other items is written.
        enum Writing: CaseIterable { case closure, conditionInClosure, conditionBefore }

        static func random(_ depth: Int, hasBoss: Bool, using random: inout SeededGenerator) -> Question {
            switch Int.random(in: depth > 0 ? 0..<8 : 4..<8, using: &random) {
            case 0, 1, 2:
                let writing = Writing.allCases.randomElement(using: &random) ?? .closure
                let hasBoss = writing != .conditionBefore
                return .hasReports(.random(depth - 1, hasBoss: hasBoss, using: &random), writing)
            case 3:
                return .both(
                    .random(depth - 1, hasBoss: hasBoss, using: &random),
                    .random(depth - 1, hasBoss: hasBoss, using: &random))
            case 4: return .not(.random(depth - 1, hasBoss: hasBoss, using: &random))
            case 5: return .noted(["blue", "red"].randomElement(using: &random) ?? "")
            case 6 where hasBoss: return Bool.random(using: &random) ? .paidMoreThanBoss : .colleaguePaidMore
            default: return .paidMore(than: .random(in: 1...20, using: &random))
            }
        }

        func condition(_ worker: Columns<Worker, Worker>, boss: Columns<Worker, Worker>?) -> Condition<Worker> {
            switch self {
            case .paidMore(let pay): return worker.pay > pay
            case .paidMoreThanBoss: return boss.map { worker.pay > $0.pay } ?? .false
            case .colleaguePaidMore:
                return boss.map { $0.exists(Worker.self, by: \.bossID) { $0.pay > worker.pay } } ?? .false
            case .noted(let word): return worker.matches(word)
            case .hasReports(let question, .closure):
                return worker.exists(Worker.self, by: \.bossID) { question.condition($0, boss: worker) }
            case .hasReports(let question, .conditionInClosure):
                return worker.exists(Worker.self, by: \.bossID) { _ in
                    Condition { question.condition($0, boss: worker) }
                }
            case .hasReports(let question, .conditionBefore):
                let kept = Condition<Worker> { question.condition($0, boss: nil) }
                return worker.exists(Worker.self, by: \.bossID) { _ in kept }
            case .both(let first, let second):
                return first.condition(worker, boss: boss) && second.condition(worker, boss: boss)
            case .not(let question): return !question.condition(worker, boss: boss)
            }
        }

        func isTrue(of worker: Worker, boss: Worker?, among workers: [Worker]) -> Bool {
            switch self {
            case .paidMore(let pay): worker.pay > pay
            case .paidMoreThanBoss: boss.map { worker.pay > $0.pay } ?? false
            case .colleaguePaidMore:
                boss.map { boss in workers.contains { $0.bossID == boss.id && $0.pay > worker.pay } } ?? false
            case .noted(let word): worker.notes == word
            case .hasReports(let question, _):
                workers.contains {
                    $0.bossID == worker.id && question.isTrue(of: $0, boss: worker, among: workers)
                }
            case .both(let first, let second):
                first.isTrue(of: worker, boss: boss, among: workers)
                    && second.isTrue(of: worker, boss: boss, among: workers)
            case .not(let question): !question.isTrue(of: worker, boss: boss, among: workers)
            }
        }
    }

    @Test(
        "A condition applies to the rows of the closure that uses it, wherever it was written",
        arguments: [StoreKind.memory, .postgres])
    func random(kind: StoreKind) async throws {
        try await withRepository(kind, [Worker.self]) { repository async throws in
            var random = SeededGenerator(seed: 55)
            let workers = (1...60).map { id in
                Worker(
                    id: id, bossID: id == 1 ? nil : Int.random(in: 1..<id, using: &random),
                    pay: .random(in: 1...20, using: &random), notes: ["blue", "red", ""][id % 3])
            }
            try await repository.insert(workers).value()
            for index in 0..<300 {
                let question = Question.random(3, hasBoss: false, using: &random)
                let query =
                    index.isMultiple(of: 2)
                    ? Worker.where(Condition { question.condition($0, boss: nil) })
                    : Worker.where { question.condition($0, boss: nil) }
                let expected = workers.filter { question.isTrue(of: $0, boss: nil, among: workers) }
                #expect(try await repository.fetch(query).value() == expected, "\(question)")
            }
        }
    }

    @Test(
        "A schema can have a standalone condition", arguments: [StoreKind.memory, .postgres])
    func declared(kind: StoreKind) async throws {
        try await withRepository(kind, [Worker.self]) { repository async throws in
            let unpaid = Worker(id: 1, bossID: nil, pay: 0, notes: "")
            await expectFailure(\.isConstraint) { try await repository.create(unpaid).value() }
            #expect(try await repository.count(Worker.self).value() == 0)
        }
    }
}
