import Foundation
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Scaled decimals") struct ScaledDecimalTests {
    private static let exact: [(text: String, scale: Int, stored: Int64)] = [
        ("0", 4, 0), ("1", 4, 10_000), ("-1", 4, -10_000), ("0.0001", 4, 1), ("-0.0001", 4, -1),
        ("2767891499", 4, 27_678_914_990_000), ("272583739559.99", 2, 27_258_373_955_999),
        ("922337203685477.5807", 4, .max), ("-922337203685477.5808", 4, .min), ("9223372036854775807", 0, .max),
        ("-9223372036854775808", 0, .min), ("9.223372036854775807", 18, .max), ("1e3", 4, 10_000_000),
        ("1.5e10", 2, 1_500_000_000_000), ("1000000", 0, 1_000_000), ("65535.5", 4, 655_355_000),
        ("0.5", 1, 5), ("123456.7891", 4, 1_234_567_891),
    ]

    @Test("A number that fits is stored exactly and comes back equal, on the fast and the slow path", arguments: exact)
    func fits(_ example: (text: String, scale: Int, stored: Int64)) throws {
        let value = try #require(Decimal(string: example.text))
        #expect(try ScaledDecimal.integer(value, scale: example.scale) == example.stored)
        #expect(try ScaledDecimal.slowInteger(value, scale: example.scale) == example.stored)
        let fast = ScaledDecimal.decimal(example.stored, scale: example.scale)
        #expect(fast == value)
        #expect("\(fast)" == "\(value)")
        #expect(ScaledDecimal.slowDecimal(example.stored, scale: example.scale) == value)
    }

    private static let refused: [(text: String, scale: Int)] = [
        ("0.00001", 4), ("1.5", 0), ("922337203685477.5808", 4), ("-922337203685477.5809", 4),
        ("9223372036854775808", 0), ("1e30", 4), ("1e-30", 4), ("0.33333333333333333333333333333333333333", 18),
        ("123456789012345678901234567890123456789", 0), ("1e127", 18), ("NaN", 4),
    ]

    @Test("A number that does not fit is refused, on the fast and the slow path", arguments: refused)
    func refuses(_ example: (text: String, scale: Int)) throws {
        let value = example.text == "NaN" ? Decimal.nan : try #require(Decimal(string: example.text))
        #expect(throws: ColumnFault.self) { try ScaledDecimal.integer(value, scale: example.scale) }
        #expect(throws: ColumnFault.self) { try ScaledDecimal.slowInteger(value, scale: example.scale) }
    }

    @Test("A literal that Swift passes through Double is stored as it was written")
    func literals() throws {
        let salary: Decimal = 1234.56
        #expect(try ScaledDecimal.integer(salary, scale: 2) == 123_456)
        #expect(try ScaledDecimal.integer(-1234.56, scale: 4) == -12_345_600)
        #expect(throws: ColumnFault.self) { try ScaledDecimal.integer(1234.567, scale: 2) }
        #expect(throws: ColumnFault.self) { try ScaledDecimal.integer(salary / 3, scale: 2) }
        #expect(throws: ColumnFault.self) { try ScaledDecimal.integer(salary.nextUp, scale: 2) }
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<20_000 {
            let scale = Int.random(in: 0...9, using: &generator)
            let most = Self.power(Int.random(in: 1...15, using: &generator))
            let integer = Int64.random(in: 0..<most, using: &generator)
            let number = try #require(Double("\(integer)e-\(scale)"))
            #expect(try ScaledDecimal.integer(Decimal(number), scale: scale) == integer)
            #expect(try ScaledDecimal.slowInteger(Decimal(number), scale: scale) == integer)
        }
    }

    @Test("A rounding column stores the rounded number, whichever endpoint writes it", arguments: StoreKind.allCases)
    func rounding(kind: StoreKind) async throws {
        try await withRepository(kind, [Rounded.self]) { repository in
            let third = Decimal(10) / 3
            let stored = try await repository.create(Rounded(id: 1, net: third, gross: third)).value()
            #expect(stored.net == Decimal(string: "3.33"))
            try await repository.create(Rounded(id: 2, net: 1234.56, gross: nil)).value()
            try await repository.update(Rounded.self, id: 1, set: [.set(\.gross, to: -third)]).value()
            try await repository.insert([Rounded(id: 3, net: 0.125, gross: 0.375)]).value()
            let prices = try await repository.fetch(Rounded.all).value()
            #expect(prices.map(\.net) == ["3.33", "1234.56", "0.12"].map { Decimal(string: $0) })
            #expect(prices.map(\.gross) == ["-3.4", nil, "0.3"].map { $0.flatMap { Decimal(string: $0) } })
            await expectFailure({ if case .encoding = $0 { true } else { false } }) {
                try await repository.create(Rounded(id: 4, net: Decimal(string: "1e30") ?? 0, gross: nil)).value()
            }
        }
    }

    @Test("A literal keeps the digits as written, however the column rounds")
    func roundedLiterals() throws {
        let salary: Decimal = 1234.56
        for mode in [Decimal.RoundingMode.plain, .down, .up, .bankers] {
            let places = DecimalPlaces(2, rounding: mode)
            #expect(try ScaledDecimal.integer(salary, places) == 123_456)
            #expect(try ScaledDecimal.integer(-salary, places) == -123_456)
        }
        #expect(try ScaledDecimal.integer(salary / 7, DecimalPlaces(2, rounding: .down)) == 17_636)
    }

    private static func power(_ exponent: Int) -> Int64 { (0..<exponent).reduce(1) { product, _ in product * 10 } }

    @Test("The digits are read from a layout that was verified on this platform")
    func layout() {
        #expect(ScaledDecimal.layout != nil)
        let wrong: ScaledDecimal.Layout = ScaledDecimal.layout == .lengthHigh ? .lengthLow : .lengthHigh
        #expect(!ScaledDecimal.isProved(wrong))
    }

    @Test("Random integers at every scale agree with the public interface of Decimal")
    func random() throws {
        var generator = SeededGenerator(seed: 42)
        for _ in 0..<20_000 {
            let bits = Int64.random(in: 1...63, using: &generator)
            let integer = Int64.random(in: Int64.min...Int64.max, using: &generator) >> (63 - bits)
            let scale = Int.random(in: 0...18, using: &generator)
            let value = ScaledDecimal.decimal(integer, scale: scale)
            #expect(value == ScaledDecimal.slowDecimal(integer, scale: scale))
            #expect(value.hashValue == Decimal(string: "\(value)")?.hashValue)
            #expect(try ScaledDecimal.integer(value, scale: scale) == integer)
            #expect(try ScaledDecimal.integer(value * 1, scale: scale) == integer)
        }
    }

    @Test("Decimals made from stored integers calculate, compare and print like any other")
    func arithmetic() throws {
        let sum = ScaledDecimal.decimal(1_234_500, scale: 4) + ScaledDecimal.decimal(-1_200_000, scale: 4)
        #expect(sum == Decimal(string: "3.45"))
        #expect(ScaledDecimal.decimal(15_000, scale: 4) < ScaledDecimal.decimal(20_000, scale: 4))
        #expect("\(ScaledDecimal.decimal(15_000, scale: 4) * 2)" == "3")
        #expect("\(ScaledDecimal.decimal(10_000_000, scale: 4))" == "1000")
        #expect(NSDecimalNumber(decimal: ScaledDecimal.decimal(-27_500, scale: 4)).doubleValue == -2.75)
    }

    @Test("A column's scale is that of its declaration")
    func columnScale() throws {
        let memory = try Memory(Price.self)
        let cents = try #require(Decimal(string: "19.99"))
        let exact = try #require(Decimal(string: "0.123456789012345678"))
        try memory.insert(Price(id: 1, cents: cents, exact: exact))
        #expect(try memory.items() == [Price(id: 1, cents: cents, exact: exact)])
        #expect(
            try memory.connection.rows("SELECT cents, exact FROM Price") == [
                [.integer(1999), .integer(123_456_789_012_345_678)]
            ])
        let error = try thrown { () throws(RepositoryError) in
            try memory.insert(Price(id: 2, cents: exact, exact: nil))
        }
        guard case .encoding("Price", "cents", let detail, _) = error else { return #expect(Bool(false), "\(error)") }
        #expect(detail == "0.123456789012345678 has more than 2 decimal places")
    }
}

private struct Price: Entity, Equatable {
    let id: Int
    var cents: Decimal
    var exact: Decimal?

    static let schema = Schema(
        Column("id", \Price.id), Column("cents", \.cents, .scale(2)), Column("exact", \.exact, .scale(18)),
        make: Price.init)
}

private struct Rounded: Entity, Equatable {
    let id: Int
    var net: Decimal
    var gross: Decimal?
    static let schema = Schema(
        Column("id", \Rounded.id), Column("net", \.net, .scale(2, rounding: .bankers)),
        Column("gross", \.gross, .scale(1, rounding: .down)), make: Rounded.init)
}
