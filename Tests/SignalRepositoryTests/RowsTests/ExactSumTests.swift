import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Exact sums of floating-point numbers") struct ExactSumTests {
    /// Numbers, and their sum as computed with fractions and rounded once.
    private static let sums: [([Double], Double)] = [
        ([], 0), ([-0.0], 0), ([0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1], 1.0), ([1e16, 1.0, -1e16], 1.0),
        ([1e308, 1e308, -1e308], 1e308), ([.leastNonzeroMagnitude, -2.5], -2.5),
        ([.greatestFiniteMagnitude, 9.9792015476736e291], .infinity), ([-1e308, -1e308], -.infinity),
        ([.leastNormalMagnitude, -.leastNonzeroMagnitude], .leastNormalMagnitude - .leastNonzeroMagnitude),
        ([.leastNonzeroMagnitude, .leastNonzeroMagnitude], 2 * .leastNonzeroMagnitude),
        ([1.0, 1.1102230246251565e-16], 1.0),
        ([1.0, 1.1102230246251565e-16, 2.465190328815662e-32], 1.0000000000000002),
        ([-1.0, 5.551115123125783e-17], -1.0), ([9007199254740992.0, 1.0, -0.5], 9007199254740992.0),
        ([0.1, 0.2, 0.3, -0.6], 2.7755575615628914e-17),
        ([6.1, -3.3, 3.9, -4.0, -0.6967552472942278], 2.003244752705772),
        ([-0.6812001204754377, -4.611366618760067e+95, 6.018175419704566e+154], 6.018175419704566e+154),
        ([.infinity, 1], .infinity), ([1, -.infinity], -.infinity),
    ]

    @Test("A sum is rounded once, whatever the order, in memory and in the store")
    func rounded() throws {
        var random = SeededGenerator(seed: 1)
        let memory = try Memory<Film>()
        for (numbers, expected) in Self.sums {
            for _ in 0..<4 {
                var sum = ExactSum()
                for number in numbers.shuffled(using: &random) { sum.add(number) }
                #expect(sum.rounded == expected, "\(numbers)")
            }
            let values = numbers.map { "(\($0 == .infinity ? "9e999" : $0 == -.infinity ? "-9e999" : "\($0)"))" }
            let sql =
                "SELECT signal_repository_total(column1) FROM (VALUES \((values + ["(NULL)"]).joined(separator: ", ")))"
            #expect(try memory.connection.rows(sql, []) == [[.real(expected)]], "\(numbers)")
        }
    }

    @Test("What is added and removed again leaves no trace, and bytes keep the state")
    func removed() throws {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<200 {
            let kept = (0..<5).map { _ in Double.random(in: -1...1, using: &random) }
            let removed = (0..<2_500).map { _ -> Double in
                let number = Double(bitPattern: random.next())
                return number.isNaN ? .infinity : number
            }
            var (sum, expected) = (ExactSum(), ExactSum())
            for number in kept { expected.add(number) }
            for number in (kept + removed).shuffled(using: &random) { sum.add(number) }
            for number in removed.shuffled(using: &random) { sum.subtract(number) }
            #expect(sum.rounded == expected.rounded)
        }
    }

    @Test("Infinities of both signs have no sum")
    func infinities() throws {
        var sum = ExactSum()
        sum.add(.infinity)
        sum.add(-.infinity)
        #expect(sum.rounded.isNaN)
        sum.subtract(.infinity)
        #expect(sum.rounded == -.infinity)
        let memory = try Memory<Film>()
        let sql =
            "SELECT signal_repository_total(x), signal_repository_mean(x) FROM (SELECT 9e999 AS x UNION SELECT -9e999)"
        #expect(try memory.connection.rows(sql, []) == [[.null, .null]])
        #expect(ExactSum([]) == nil)
    }
}
