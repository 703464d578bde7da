import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Arithmetic of terms", .timeLimit(.minutes(20))) struct ArithmeticTests {
    private func withAmount(
        _ kind: StoreKind, _ amount: Amount, _ body: (any Repository) async throws -> Void
    ) async throws {
        try await withRepository(kind, [Amount.self]) { repository async throws in
            try await repository.create(amount).value()
            try await body(repository)
        }
    }

    private func amount(_ whole: Int = 0, cents: Decimal = 0, fine: Decimal? = nil) -> Amount {
        Amount(
            id: 1, whole: whole, other: whole, byte: 0, small: 0, medium: 0, unsigned: 0, units: 0, cents: cents,
            fine: fine, result: nil, price: nil)
    }

    @Test(
        "R20 An intermediate result that is too large is an overflow, and nothing is stored",
        arguments: [StoreKind.file, .postgres])
    func assigned(kind: StoreKind) async throws {
        let wrong: [(Int, @Sendable (Columns<Amount, Amount>) -> Term<Amount, Int>)] = [
            (5, { $0.whole + .max - .max }), (3_000_000_000_000_000_001, { $0.whole * 4 / 4 }),
            (9_000_000_000_000_000_001, { $0.whole * 7 % 1000 }), (.min, { -$0.whole + 0 }), (.min, { $0.whole / -1 }),
            (.min, { $0.whole.magnitude }), (.min, { $0.whole - 1 + 1 }), (.max, { ($0.other ?? 0) * $0.whole / .max }),
        ]
        for (whole, term) in wrong {
            try await withAmount(kind, amount(whole)) { repository async throws in
                let before = try await repository.fetch(Amount.all).value()
                await expectFailure(\.isOverflow) {
                    try await repository.update(
                        Amount.self, set: [.set(\.whole, to: term(Amount.queryTerms))]
                    ) { _ in .true }
                    .value()
                }
                #expect(try await repository.fetch(Amount.all).value() == before)
                let term = term(Amount.queryTerms)
                let all = Amount.all
                await expectFailure(\.isOverflow) { try await repository.fetch(all.select { _ in term }).value() }
                await expectFailure(\.isOverflow) { try await repository.count(all.where { _ in term > 0 }).value() }
                await expectFailure(\.isOverflow) { try await repository.fetch(all.sorted { _ in term }).value() }
                await expectFailure(\.isOverflow) {
                    try await repository.fetch(all.grouped { _ in term }.aggregate { $0.id.count() }).value()
                }
                await expectFailure(\.isOverflow) {
                    try await repository.fetch(all.aggregate { _ in term.sum() }).value()
                }
                await expectFailure(\.isOverflow) {
                    try await repository.delete(Amount.self) { _ in term > 0 }.value()
                }
            }
        }
        try await withAmount(kind, amount(.min)) { repository async throws in
            let quotients = Amount.all.select { ($0.whole % -1, $0.whole / 1, ($0.whole + 1) / -1) }
            let row = try #require(try await repository.first(quotients).value())
            #expect(row == (0, .min, .max))
        }
    }

    @Test("An expression of two hundred levels can be built and assigned, and a deeper one is too big")
    func levels() throws {
        let most = (0..<200).reduce(Amount.queryTerms.whole) { term, _ in term + 1 }
        #expect(try most.value().depth == 200)
        guard case .computed(let assigned) = Assignment<Amount>.set(\.whole, to: most).value else {
            return #expect(Bool(false))
        }
        #expect(try assigned.get().depth == 200)
        let error = try thrown { () throws(RepositoryError) in try (most + 1).value() }
        #expect(error.isTooBig)
    }

    @Test(
        "R20 A product of decimal numbers that needs more than 64 bits is an overflow, and nothing is stored",
        arguments: [StoreKind.file, .postgres])
    func products(kind: StoreKind) async throws {
        let large = try #require(Decimal(string: "40000.0001"))
        try await withAmount(kind, amount(fine: large)) { repository async throws in
            let update = repository.update(
                Amount.self, set: [.set(\.price) { $0.fine * $0.fine - $0.fine * Decimal(39_999) }]
            ) { _ in .true }
            #expect(try await update.value() == 1)
            let exact = large * large - large * 39_999
            #expect(try await repository.fetch(Amount.all.select(\.price)).value() == [exact])
        }
        let larger = try #require(Decimal(string: "400000.0001"))
        try await withAmount(kind, amount(fine: larger)) { repository async throws in
            for assignment in [
                Assignment<Amount>.set(\.price) { $0.fine * $0.fine - $0.fine * Decimal(399_999) },
                // This product is too large only with the nine decimal places of the column.
                .set(\.price) { $0.fine * Decimal(1_000_000) },
            ] {
                await expectFailure(\.isOverflow) {
                    try await repository.update(Amount.self, set: [assignment]) { _ in .true }.value()
                }
            }
            let million = Amount.all.select { $0.fine * Decimal(1_000_000) }
            #expect(try await repository.fetch(million).value() == [larger * 1_000_000])
            #expect(try await repository.fetch(Amount.all).value().map(\.price) == [nil])
        }
    }

    @Test(
        "R20 Prices with different decimal places are compared exactly, even at the ends of their range",
        arguments: [StoreKind.file, .postgres])
    func scales(kind: StoreKind) async throws {
        let least = ScaledDecimal.decimal(.min, scale: 4)
        let below = ScaledDecimal.decimal(.min / 100 - 1, scale: 2)
        try await withAmount(kind, amount(cents: below, fine: least)) { repository async throws in
            let row = try #require(
                try await repository.first(
                    Amount.all.select {
                        ($0.cents < $0.fine, $0.cents == $0.fine, $0.fine > $0.cents, $0.cents > $0.fine)
                    }
                ).value())
            #expect(row == (true, false, true, false))
        }
    }

    @Test(
        "A live query ends with the error when its condition overflows, and is followed until then",
        arguments: [StoreKind.file, .postgres])
    func live(kind: StoreKind) async throws {
        try await withAmount(kind, amount(1)) { repository async throws in
            let counts = repository.countSubscription(Amount.where { $0.whole * 2 > 3 }).record()
            #expect(await counts.values(1) == [0])
            try await repository.update(Amount.self, set: [.set(\.whole, to: 2)]) { _ in .true }.value()
            #expect(await counts.values(2) == [0, 1])
            try await repository.update(Amount.self, set: [.set(\.whole, to: .max)]) { _ in .true }.value()
            guard case .failure(let error) = await counts.end() else { return #expect(Bool(false), "It did not end.") }
            #expect(error.isOverflow, "\(error)")
        }
    }

    @Test(
        "R20 10,000 computed values at the ends of their types are exact or an overflow",
        arguments: [StoreKind.memory, .postgres], 0..<4)
    func random(kind: StoreKind, seed: Int) async throws {
        let count = kind != .postgres ? 2_500 : isSoak ? 25_000 : 250
        var random = SeededGenerator(seed: UInt64(seed + 40))
        let rows = (0..<12).map { Amount.random($0, &random) }
        try await withRepository(kind, [Amount.self]) { repository async throws in
            try await repository.insert(rows).value()
            let failures = try await repository.transaction { store in
                var trial = ExactTrial(store: store, rows: rows, seed: seed)
                for round in 0..<count where trial.failures.count < 5 { try trial.run(round) }
                // Neither outcome may be rare.
                if min(trial.exact, trial.overflows) < count / 13 {
                    trial.failures.append("\(trial.exact) exact, \(trial.overflows) overflows")
                }
                return trial.failures
            }.value()
            #expect(failures.isEmpty, "seed \(seed): \(failures.prefix(3))")
        }
    }

    @Test("R20 Numbers of small integer types are exact, or refused", arguments: [StoreKind.memory, .postgres], 0..<2)
    func small(kind: StoreKind, seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed + 80))
        let rows = (0..<12).map { Amount.random($0, &random) }
        try await withRepository(kind, [Amount.self]) { repository async throws in
            try await repository.insert(rows).value()
            for _ in 0..<60 {
                let row = rows[Int.random(in: 0..<12, using: &random)]
                try await few(repository, row, \.byte, &random)
                try await few(repository, row, \.small, &random)
                try await few(repository, row, \.medium, &random)
                try await few(repository, row, \.unsigned, &random)
            }
        }
    }

    /// Computes with a property of a small integer type, and assigns the result.
    private func few<Value: FixedWidthInteger & ArithmeticValue & Sendable>(
        _ repository: any Repository, _ row: Amount, _ path: WritableKeyPath<Amount, Value> & Sendable,
        _ random: inout SeededGenerator
    ) async throws where Value.Sum == Int, Value.Average == Double {
        let constants = [0, 1, 2, Value.min, Value.max, Value.max / 2].filter { Int64(exactly: $0) != nil }
        let (one, two) = (constants.randomElement(using: &random) ?? 0, constants.randomElement(using: &random) ?? 0)
        let column = Amount.queryTerms[dynamicMember: path]
        let start = Exact.of(Int64(row[keyPath: path]))
        let (first, second) = (Exact.of(Int64(one)), Exact.of(Int64(two)))
        let (term, exact) =
            switch Int.random(in: 0..<4, using: &random) {
            case 0: (column + one - two, start.plus(first).minus(second))
            case 1: (column * one - column, start.times(first).minus(start))
            case 2: (-column - one, start.negated.minus(first))
            default: (column - one + two, start.minus(first).plus(second))
            }
        let update = repository.update(Amount.self, set: [.set(path, to: term)]) { $0.id == row.id }
        if exact.isTooLarge {
            await expectFailure(\.isOverflow) { try await update.value() }
        } else if let value = exact.digits.flatMap({ Value(exactly: $0) }) {
            let found: [Value] = try await repository.fetch(Amount.where { $0.id == row.id }.select { _ in term })
                .value()
            #expect(found == [value])
            try await update.value()
            #expect(try await repository.read(Amount.self, id: row.id).value()[keyPath: path] == value)
            try await repository.update(row).value()
        } else {
            await expectFailure(\.isEncoding) { try await update.value() }
            await expectFailure(\.isDecoding) {
                try await repository.fetch(Amount.where { $0.id == row.id }.select { _ in term }).value()
            }
        }
        #expect(try await repository.read(Amount.self, id: row.id).value() == row)
    }
}
