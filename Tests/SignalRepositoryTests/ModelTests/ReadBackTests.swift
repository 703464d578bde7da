import Foundation
import SignalRepository
import Signals
import Testing

@Suite("An item is stored only if it is read back", .timeLimit(.minutes(10))) struct ReadBackTests {
    /// Expects that every endpoint refuses the item, and that the items stored before it stay.
    private func expectRefusal<Item: Entity>(
        of item: Item, after stored: [Item] = [], naming names: [String], _ isExpected: (RepositoryError) -> Bool
    ) async throws {
        for kind in StoreKind.allCases {
            try await withRepository(kind, [Item.self]) { repository in
                for item in stored { _ = try await repository.create(item).value() }
                let verbs: [Signal<Void, RepositoryError>] = [
                    repository.create(item).map { _ in }, repository.insert([item]).map { _ in },
                    repository.upsert(item).map { _ in }, repository.createAtomically([item]).map { _ in },
                    repository.transaction { try $0.create(item) }.map { _ in },
                ]
                for verb in verbs {
                    await expectFailure({ error in
                        isExpected(error) && names.allSatisfy { "\(error)".contains($0) }
                    }) {
                        try await verb.value()
                    }
                }
                #expect(try await repository.count(Item.self).value() == stored.count)
            }
        }
    }

    @Test("R19 A column that is read as another type of its storage class is found with the first item")
    func types() async throws {
        let isMisuse = { (error: RepositoryError) in error.isMisuse }
        let noon = Date(timeIntervalSinceReferenceDate: 0)
        try await expectRefusal(of: Numbers(id: 1, a: 0, b: 0), naming: ["Numbers.a", "Int64"], isMisuse)
        try await expectRefusal(of: Moments(id: 1, at: noon, seconds: 0), naming: ["Moments.at", "Double"], isMisuse)
        try await expectRefusal(of: Prices(id: 1, n: 0, price: 0), naming: ["Prices.n", "Decimal"], isMisuse)
        try await expectRefusal(of: Switches(id: 1, isOn: true, n: 1), naming: ["Switches.isOn", "Int"], isMisuse)
        try await expectRefusal(
            of: Titles(id: 1, title: "drama", genre: .drama), naming: ["Titles.title", "Genre"], isMisuse)
        try await expectRefusal(of: Codes(id: UUID(), data: Data()), naming: ["Codes.id", "Data"], isMisuse)
        try await expectRefusal(of: Loose(id: 1, name: "a"), naming: ["Loose.name", "String"], isMisuse)
    }

    @Test("R19 Columns that are swapped after conversion are found with the first item in which they differ")
    func converted() async throws {
        try await expectRefusal(
            of: Converted(id: 3, a: 8, b: 9), after: [Converted(id: 0, a: 0, b: 0), Converted(id: 2, a: 7, b: 7)],
            naming: ["Converted.a", "Converted.b"], \.isMisuse)
    }

    @Test("R19 A nil that is read as something else is not stored, however many items came before")
    func nils() async throws {
        let named = (0..<3).map { Named(id: $0, name: "n\($0)") }
        for count in [0, 1, 3] {
            try await expectRefusal(
                of: Named(id: 9, name: nil), after: Array(named.prefix(count)), naming: ["Named.name"], \.isMisuse)
        }
    }

    @Test("R19 A column that is always read as the same value is found with the second value")
    func constant() async throws {
        try await expectRefusal(
            of: Constant(id: 2, note: "x"), after: [Constant(id: 1, note: "")], naming: ["Constant.note"], \.isMisuse)
        try await expectRefusal(
            of: Constant(id: 1000, note: "x"), after: (0..<50).map { Constant(id: $0, note: "") },
            naming: ["Constant.note"], \.isMisuse)
    }

    @Test("R19 A JSON value that is not read back is not stored, in the first item or in the second")
    func json() async throws {
        let good = Quote(id: 1, price: .init(amount: 1.5), last: nil)
        let bad = Quote(id: 2, price: .init(amount: .nan), last: nil)
        let badToo = Quote(id: 2, price: .init(amount: 1), last: .init(amount: .nan))
        for stored in [[], [good]] {
            try await expectRefusal(of: bad, after: stored, naming: ["Quote.price"], \.isEncoding)
            try await expectRefusal(of: badToo, after: stored, naming: ["Quote.last"], \.isEncoding)
        }
    }

    @Test("R19 A value that the column's own coding cannot read back is not stored")
    func functions() async throws {
        try await expectRefusal(
            of: Coded(id: 2, text: "x", grade: .init(rawValue: 3)),
            after: [Coded(id: 1, text: "7", grade: .init(rawValue: 1))], naming: ["Coded.text"], \.isEncoding)
        try await expectRefusal(
            of: Coded(id: 2, text: "7", grade: .unchecked(9)),
            after: [Coded(id: 1, text: "7", grade: .init(rawValue: 1))], naming: ["Coded.grade"], \.isEncoding)
        try await expectRefusal(
            of: Weighed(id: 2, weight: Weight(grams: -1)), after: [Weighed(id: 1, weight: Weight(grams: 1))],
            naming: ["Weighed.weight"], \.isEncoding)
    }

    @Test("R19 An assignment of a value that is not read back changes nothing", arguments: StoreKind.allCases)
    func assignments(kind: StoreKind) async throws {
        try await withRepository(kind, [Quote.self]) { repository in
            let good = Quote(id: 1, price: .init(amount: 1.5), last: nil)
            _ = try await repository.create(good).value()
            let set = [Assignment<Quote>.set(\.price, to: .init(amount: .nan))]
            await expectFailure(\.isEncoding) { try await repository.update(Quote.self, id: 1, set: set).value() }
            await expectFailure(\.isEncoding) {
                try await repository.update(Quote.self, set: set) { _ in .true }.value()
            }
            #expect(try await repository.fetch(Quote.all).value() == [good])
        }
    }

    @Test("Rounded values are stored, and so are items that differ in many ways", arguments: StoreKind.allCases)
    func accepted(kind: StoreKind) async throws {
        try await withRepository(kind, [Rounded.self, Named.Whole.self]) { repository in
            _ = try await repository.insert((0..<100).map { Rounded(id: $0, price: Double($0) + 0.126) }).value()
            #expect(try await repository.read(Rounded.self, id: 7).value().price == 7.13)
            let items = (0..<1000).map {
                Named.Whole(id: $0, name: $0 % 3 == 0 ? nil : "n", count: $0 % 5 == 0 ? nil : 1)
            }
            _ = try await repository.insert(items).value()
            #expect(try await repository.fetch(Named.Whole.all.sorted(by: \.id)).value() == items)
        }
    }
}
