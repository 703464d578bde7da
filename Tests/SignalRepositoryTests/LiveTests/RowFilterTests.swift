import Foundation
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("The rows for which a condition can be true") struct RowFilterTests {
    @Test("A row that passes a random condition also passes the condition's filter of one column")
    func superset() throws {
        var random = SeededGenerator(seed: 5)
        let rows = try (0..<300).map { try Measure.schema.values(of: .random($0, &random)) }
        let names = Measure.schema.names
        var kinds: Set<String> = []
        for _ in 0..<3_000 {
            let test = try Self.condition(&random, depth: 2).stored()
            let filter = test.rowFilter
            let rowTest = try #require(test.rowTest(RowColumns(byCharacters: true) { names.firstIndex(of: $0.name) }))
            for row in rows where try rowTest.passes(row) {
                switch filter {
                case .any: kinds.insert("any")
                case .equal(let column, let values):
                    kinds.insert("equal")
                    #expect(values.contains(row[names.firstIndex(of: column) ?? 0]))
                case .range(let column, let range):
                    kinds.insert("range")
                    #expect(range.contains(row[names.firstIndex(of: column) ?? 0]))
                }
            }
        }
        #expect(kinds.count == 3)
    }

    private static func condition(_ random: inout SeededGenerator, depth: Int) -> Condition<Measure> {
        let number = Int.random(in: -20...20, using: &random)
        let kind = Int.random(in: 0..<(depth > 0 ? 14 : 10), using: &random)
        switch kind {
        case 0: return Condition { $0.whole == number }
        case 1: return Condition { $0.whole > number }
        case 2: return Condition { $0.whole <= number }
        case 3: return Condition { $0.kind == (number.isMultiple(of: 3) ? nil : "a") }
        case 4: return Condition { $0.small.isIn([Int8(number), nil]) }
        case 5: return Condition { $0.real < Double(number) / 3 }
        case 6: return Condition { $0.whole != number }
        case 7: return Condition { $0.price >= Decimal(number) / 7 }
        case 8: return Condition { $0.text.hasPrefix("z") }
        case 9: return Condition { $0.id.isIn([number, 3, 5]) }
        case 10: return condition(&random, depth: depth - 1) || condition(&random, depth: depth - 1)
        case 11: return !condition(&random, depth: depth - 1)
        default: return condition(&random, depth: depth - 1) && condition(&random, depth: depth - 1)
        }
    }

    @Test("No text is found in nil, not even an empty one")
    func searchInNothing() throws {
        let searches: [Condition<Measure>] = [
            Condition { $0.kind.contains("") }, Condition { $0.kind.hasPrefix("") },
            Condition { $0.kind.hasSuffix("") },
        ]
        for search in searches {
            let test = try #require(try search.stored().rowTest(RowColumns(byCharacters: true) { _ in 0 }))
            #expect(try !test.passes([.null]))
            #expect(try test.passes([.text("")]))
        }
    }

    @Test("A filter prefers values to a range, and few values to many; two bounds make one range")
    func choice() throws {
        func filter(_ condition: Condition<Measure>) throws -> String { "\(try condition.stored().rowFilter)" }
        #expect(try filter(Condition { $0.whole > 3 && $0.kind == "a" }).contains("equal(column: \"kind\""))
        #expect(try filter(Condition { $0.id.isIn([1, 2]) && $0.kind == "a" }).contains("equal(column: \"kind\""))
        let both = try filter(Condition { $0.whole > 3 && $0.kind != "a" && $0.whole <= 8 })
        #expect(both.contains("integer(3)") && both.contains("integer(8)"))
        #expect(try filter(Condition { $0.whole > 3 || $0.kind == "a" }) == "any")
    }
}
