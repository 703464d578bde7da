import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("Bounds that a column cannot hold", .timeLimit(.minutes(10))) struct BoundTests {
    /// Compares a column with bounds of all kinds, by every operator, and expects the results of plain Swift.
    private func compare<Value: OrderedValue & Comparable & Hashable>(
        _ stored: [Value], with bounds: [Value], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws where Value.Plain == Value {
        let rows = stored.enumerated().map {
            Pair(id: $0.offset, value: $0.element, other: $0.offset % 3 == 0 ? nil : $0.element)
        }
        try await withRepository(.memory, [Pair<Value>.self]) { repository async throws in
            try await repository.insert(rows).value()
            func expect(
                _ condition: Condition<Pair<Value>>, _ what: String, _ test: (Pair<Value>) -> Bool
            ) async throws {
                let found = try await repository.fetch(Pair<Value>.where(condition)).value().map(\.id)
                #expect(found == rows.filter(test).map(\.id), "\(what)", sourceLocation: sourceLocation)
                let others = try await repository.fetch(Pair<Value>.where(!condition)).value().map(\.id)
                #expect(others == rows.filter { !test($0) }.map(\.id), "not \(what)", sourceLocation: sourceLocation)
            }
            for bound in bounds {
                try await expect(Condition { $0.value == bound }, "== \(bound)") { $0.value == bound }
                try await expect(Condition { $0.value != bound }, "!= \(bound)") { $0.value != bound }
                try await expect(Condition { $0.value < bound }, "< \(bound)") { $0.value < bound }
                try await expect(Condition { $0.value <= bound }, "<= \(bound)") { $0.value <= bound }
                try await expect(Condition { $0.value > bound }, "> \(bound)") { $0.value > bound }
                try await expect(Condition { $0.value >= bound }, ">= \(bound)") { $0.value >= bound }
                try await expect(Condition { $0.other == bound }, "? == \(bound)") { $0.other == bound }
                try await expect(Condition { $0.other != bound }, "? != \(bound)") { $0.other != bound }
                try await expect(Condition { $0.other < bound }, "? < \(bound)") {
                    $0.other.map { $0 < bound } ?? false
                }
                try await expect(Condition { $0.other <= bound }, "? <= \(bound)") {
                    $0.other.map { $0 <= bound } ?? false
                }
                try await expect(Condition { $0.other > bound }, "? > \(bound)") {
                    $0.other.map { $0 > bound } ?? false
                }
                try await expect(Condition { $0.other >= bound }, "? >= \(bound)") {
                    $0.other.map { $0 >= bound } ?? false
                }
                let list = [bound, stored[0], bound]
                try await expect(Condition { $0.value.isIn(list) }, "in \(list)") { list.contains($0.value) }
                try await expect(Condition { $0.other.isIn(list + [nil]) }, "? in \(list)") {
                    $0.other == nil || list.contains { [other = $0.other] in $0 == other }
                }
                try await expect(Condition { $0.value.isIn([bound]) }, "in [\(bound)]") { $0.value == bound }
                for end in bounds where bound <= end {
                    try await expect(Condition { $0.value.between(bound...end) }, "in \(bound)...\(end)") {
                        (bound...end).contains($0.value)
                    }
                    try await expect(Condition { $0.other.between(bound...end) }, "? in \(bound)...\(end)") {
                        $0.other.map((bound...end).contains) ?? false
                    }
                }
            }
        }
    }

    @Test("A bound with more decimal places than the column, or out of its range, compares as in Swift")
    func decimals() async throws {
        let largest = Decimal(Int64.max) / 100
        let stored: [Decimal] = [
            -largest - Decimal(sign: .plus, exponent: -2, significand: 1), -20, Decimal(-1) / 100, 0, Decimal(1) / 100,
            Decimal(1_999) / 100, 20, Decimal(2_001) / 100,
            largest,
        ]
        let tiny = Decimal(sign: .plus, exponent: -100, significand: 1)
        let bounds: [Decimal] = [
            .nan, -.greatestFiniteMagnitude, -largest - 1, -20.001, -20, -tiny, 0, tiny, 0.005, 0.01,
            Decimal(string: "19.9999999999999999999999999999999999") ?? 0, 20,
            Decimal(string: "20.00000000000001") ?? 0, largest, largest + 0.001, largest + 1,
            Decimal(sign: .plus, exponent: 100, significand: 7), .greatestFiniteMagnitude,
        ]
        try await compare(stored, with: bounds)
    }

    @Test("A bound above the largest integer that can be stored compares as in Swift")
    func unsigned() async throws {
        let largest = UInt64(Int64.max)
        try await compare([0, 1, largest - 1, largest], with: [0, 1, largest, largest + 1, UInt64.max])
        try await compare([UInt(0), 7], with: [7, UInt.max])
        try await compare(
            [Mask(rawValue: 0), Mask(rawValue: 5), Mask(rawValue: largest)],
            with: [Mask(rawValue: 5), Mask(rawValue: largest), Mask(rawValue: largest + 1), Mask(rawValue: .max)])
    }

    @Test(
        "NaN is equal to nothing, and neither less nor greater than anything", arguments: [StoreKind.memory, .postgres])
    func reals(kind: StoreKind) async throws {
        try await compare([-Double.infinity, -1, 0, 0.1, .infinity], with: [Double.nan, 0.1, .infinity, -.infinity])
        try await compare([-Float.infinity, -1, 0, 0.1, .infinity], with: [Float.nan, 0.1, .greatestFiniteMagnitude])
        let dates = [-1, 0, 1].map { Date(timeIntervalSinceReferenceDate: $0) }
        try await compare(dates, with: dates + [.distantFuture])
        // In Swift, every date is less than or equal to one that is NaN; a store has one rule for all numbers.
        let nan = Date(timeIntervalSinceReferenceDate: .nan)
        let conditions: [Condition<Pair<Date>>] = [
            Condition { $0.value == nan }, Condition { $0.value < nan }, Condition { $0.value <= nan },
            Condition { $0.value > nan }, Condition { $0.value >= nan }, Condition { $0.value.isIn([nan]) },
            Condition { $0.other == nan }, Condition { $0.other <= nan },
        ]
        let others = Condition<Pair<Date>> { $0.other != nan }
        try await withRepository(kind, [Pair<Date>.self]) { repository async throws in
            try await repository.insert(dates.map { Pair(id: Int($0.timeIntervalSinceReferenceDate), value: $0) })
                .value()
            for condition in conditions {
                #expect(try await repository.count(Pair<Date>.where(condition)).value() == 0)
                #expect(try await repository.count(Pair<Date>.where(!condition)).value() == 3)
            }
            #expect(try await repository.count(Pair<Date>.where(others)).value() == 3)
        }
    }

    @Test("Random decimals are compared with random bounds of more places", arguments: 0..<6)
    func randomDecimals(seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        func number(_ places: ClosedRange<Int>) -> Decimal {
            let digits = Int.random(in: -30_000...30_000, using: &random)
            let number = Decimal(
                sign: .plus, exponent: -Int.random(in: places, using: &random), significand: Decimal(abs(digits)))
            return digits < 0 ? -number : number
        }
        let stored = (0..<30).map { _ in number(0...2) }
        try await compare(stored, with: (0..<8).map { _ in number(0...6) } + stored.prefix(2))
    }

    @Test(
        "A value with too many decimal places is refused in an assignment, and as a bound value of raw SQL",
        arguments: [StoreKind.memory, .postgres])
    func writing(kind: StoreKind) async throws {
        try await withRepository(kind, [Pair<Decimal>.self]) { repository async throws in
            try await repository.create(Pair<Decimal>(id: 1, value: 1, other: nil)).value()
            await expectFailure(\.isEncoding) {
                try await repository.update(Pair<Decimal>.self, set: [.set(\.value, to: 0.001)]) { _ in .true }.value()
            }
            await expectFailure(\.isEncoding) {
                try await repository.update(
                    Pair<Decimal>.self, set: [.set(\.value, to: 2)]
                ) { _ in .raw("value = ?", Pair<Decimal>.bound(0.001, as: \.value)) }.value()
            }
        }
    }
}

/// An entity with the same type in a required column and in an optional one.
private struct Pair<Value: ColumnValue & Equatable>: Entity, Equatable {
    let id: Int
    var value: Value
    var other: Value?

    static var entityName: String { "Pair" }
    static var schema: Schema<Self> {
        Schema(
            Column("id", \Pair<Value>.id), Column("value", \.value, .scale(2)), Column("other", \.other, .scale(2)),
            make: Pair.init)
    }
}

/// A custom type with raw values.
private struct Mask: RawRepresentable, OrderedValue, Hashable, Comparable {
    let rawValue: UInt64

    static func < (left: Mask, right: Mask) -> Bool { left.rawValue < right.rawValue }
}
