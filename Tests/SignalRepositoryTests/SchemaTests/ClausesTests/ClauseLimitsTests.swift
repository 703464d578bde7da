import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

/// Clauses with extreme numbers, types and names.
@Suite("Clauses at their limits", .timeLimit(.minutes(10))) struct ClauseLimitsTests {
    private struct Product: Entity, Equatable {
        let id: Int
        var a: Int
        var b: Int
        var rest: Int = 0
        var third: Int? = nil
        var isGreater = false
        static let schema = Schema(
            Column("id", \Product.id), Column("a", \.a), Column("b", \.b),
            Column("rest", \.rest, computed: { $0.a * $0.b % 7 }),
            Column("third", \.third, computed: { $0.a * $0.b / 3 }),
            Column("isGreater", \.isGreater, computed: { $0.a * $0.b > $0.a * $0.b - 1 }), make: Product.init)
    }

    private struct Odd: Entity, Equatable {
        let id: Int
        var a: Int
        static let schema = Schema(
            Column("id", \Odd.id), Column("a", \.a), clauses: [.check("odd") { $0.a * $0.a % 2 == 1 }],
            make: Odd.init)
    }

    @Test(
        "A number that is too large anywhere in an expression is an overflow, and the item is not stored",
        arguments: StoreKind.allCases)
    func overflow(kind: StoreKind) async throws {
        try await withRepository(kind, [Product.self, Odd.self]) { repository in
            let large = Product(id: 1, a: 4_000_000_000, b: 5_000_000_001)
            await expectFailure(\.isOverflow) { try await repository.create(large).value() }
            await expectFailure(\.isOverflow) {
                try await repository.insert([Product(id: 2, a: 1, b: 1), large]).value()
            }
            await expectFailure(\.isOverflow) { try await repository.create(Odd(id: 1, a: 4_000_000_000)).value() }
            let fine = try await repository.create(Product(id: 3, a: 3_000_000_000, b: 3_000_000_001)).value()
            #expect(fine.rest == 3_000_000_000 * 3_000_000_001 % 7 && fine.isGreater)
            #expect(fine.third == 3_000_000_000 * 3_000_000_001 / 3)
            await expectFailure(\.isOverflow) {
                try await repository.update(Product.self, id: 3, set: [.set(\.a, to: .max)]).value()
            }
            #expect(try await repository.fetch(Product.all).value() == [fine])
            #expect(try await repository.count(Odd.self).value() == 0)
        }
    }

    @Test("The error for a unique expression names its clause", arguments: StoreKind.allCases)
    func uniqueExpression(kind: StoreKind) async throws {
        struct Short: Entity {
            let id: Int
            var name: String
            static let schema = Schema(
                Column("id", \Short.id), Column("name", \.name),
                clauses: [.unique("as long, (or not)", sql: "length(\"name\")")], make: Short.init)
        }
        try await withRepository(kind, [Short.self]) { repository in
            _ = try await repository.create(Short(id: 1, name: "ab")).value()
            await expectFailure({ error in
                guard case .constraint(.unique, let names, _, _) = error else { return false }
                return names == ["as long, (or not)"] || kind == .postgres && !names.isEmpty
            }) { try await repository.create(Short(id: 2, name: "cd")).value() }
        }
    }

    @Test("A property whose type lacks values of its storage class cannot be computed", arguments: StoreKind.kept)
    func types(kind: StoreKind) throws {
        struct Small: Entity {
            let id: Int
            var byte: UInt8
            static let schema = Schema(
                Column("id", \Small.id), Column("byte", \.byte, computedBy: "\"id\" * 2"), make: Small.init)
        }
        struct Truth: Entity {
            let id: Int
            var isTrue: Bool
            static let schema = Schema(
                Column("id", \Truth.id), Column("isTrue", \.isTrue, computedBy: "\"id\""), make: Truth.init)
        }
        for (entity, words) in [(Small.self as any Entity.Type, "every result"), (Truth.self, "and a condition")] {
            let error = try StorePlace(kind).refusal([entity])
            #expect(error.isMisuse && "\(error)".contains(words), "\(error)")
        }
    }

    @Test("A row whose computed value has another storage class is refused", arguments: StoreKind.local)
    func classes(kind: StoreKind) async throws {
        struct Loose: Entity {
            let id: Int
            var half: Int = 0
            static let schema = Schema(
                Column("id", \Loose.id), Column("half", \.half, computedBy: "\"id\" / 2.0"), make: Loose.init)
        }
        try await withRepository(kind, [Loose.self]) { repository in
            await expectFailure(\.isConstraint) { try await repository.create(Loose(id: 3)).value() }
            // A whole number that was computed in floating point may be inexact.
            await expectFailure(\.isConstraint) { try await repository.insert([Loose(id: 4)]).value() }
        }
    }

    private struct Exact: Entity, Equatable {
        let id: Int
        var number: Double
        static let numbers: [Double] = {
            var random = SeededGenerator(seed: 7)
            let some = (0..<150).flatMap { _ in
                [
                    Double.random(in: 0..<1, using: &random), .random(in: -1e6..<1e6, using: &random),
                    .random(in: 6e8..<8e8, using: &random),
                    Double(bitPattern: .random(in: 0..<0x7fef << 48, using: &random)),
                ]
            }
            return some + [
                681_815_633.424447, 0.832481643586858, 432_895.8304816983, .leastNonzeroMagnitude,
                .greatestFiniteMagnitude,
                -.greatestFiniteMagnitude, .leastNormalMagnitude, .infinity, -.infinity, 0, 0.1, 1.5, 1e15,
                9_007_199_254_740_992,
            ]
        }()
        static let schema = Schema(
            Column("id", \Exact.id), Column("number", \.number),
            clauses: [.check("one of them") { $0.number.isIn(numbers) }], make: Exact.init)
    }

    @Test("The SQL of a declaration spells every number exactly", arguments: StoreKind.allCases)
    func numbers(kind: StoreKind) async throws {
        try await withRepository(kind, [Exact.self]) { repository in
            let all = Exact.numbers.enumerated().map { Exact(id: $0, number: $1) }
            _ = try await repository.insert(all).value()
            let near = all.filter { $0.number.isFinite && !Exact.numbers.contains($0.number.nextUp) }
                .map { Exact(id: -1 - $0.id, number: $0.number.nextUp) }.filter(\.number.isFinite)
            let stored = try await repository.create(near).value()
            #expect(stored.success.isEmpty && stored.failed.count == near.count)
        }
    }

    private struct Odder: Entity, Equatable {
        let id: Int
        var name: String
        var copy: String = ""
        static let schema = Schema(
            Column("id", \Odder.id), Column("name", \.name),
            Column("co\"\u{301}\"\"py", \.copy, computed: { $0.name + "\"\u{301}" }),
            clauses: [.check("n\"\u{301}\"") { $0.name != "\"\u{301}" }], make: Odder.init)
    }

    private struct Ended: Entity {
        let id: Int
        static let schema = Schema(
            Column("id", \Ended.id), clauses: [.view("  SELECT \"id\" FROM \"Odder\" WHERE \"id\" > 0 ;\n ; ")],
            make: Ended.init)
    }

    @Test("A store with any names opens again, and a view's query may end in any way", arguments: StoreKind.kept)
    func names(kind: StoreKind) async throws {
        let place = try StorePlace(kind)
        try await place.with([Odder.self, Ended.self]) { repository in
            let one = try await repository.create(Odder(id: 1, name: "a")).value()
            let expected = "a\"\u{301}"
            #expect(one.copy == expected)
            await expectFailure(\.isConstraint) { try await repository.create(Odder(id: 2, name: "\"\u{301}")).value() }
        }
        for access in [StoreAccess.readOnly, .readWrite, .readOnly] {
            let repository = try place.open([Odder.self, Ended.self], access: access)
            #expect(try await repository.count(Ended.self).value() == 1)
            await closed(repository)
        }
    }

    @Test(
        "A scratch pad does not mistake a computed value for another writer's change",
        arguments: StoreKind.allCases)
    func scratchPad(kind: StoreKind) async throws {
        try await withRepository(kind, [Product.self, Odd.self]) { repository in
            let made = Product(id: 1, a: 2, b: 3)
            _ = try await repository.create(made).value()
            var edited = made
            edited.a = 5
            let pad = ScratchPad(repository)
            try pad.update(edited, from: made)
            try await pad.save().value()
            #expect(try await repository.read(Product.self, id: 1).value().rest == 1)
        }
    }
}
