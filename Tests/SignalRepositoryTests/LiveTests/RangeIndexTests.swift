import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Live queries by ranges of values") struct RangeIndexTests {
    @Test("It finds the queries whose range contains a value, and no others", arguments: 0..<20)
    func finds(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let index = RangeIndex()
        var queries: [(query: any SharedQuery, range: ValueRange)] = []
        for _ in 0..<[3, 40, 600][seed % 3] {
            if Int.random(in: 0..<4, using: &random) == 0, let position = queries.indices.randomElement(using: &random)
            {
                let (query, range) = queries.remove(at: position)
                index.remove(query, range)
            } else {
                let query = TypedSharedQuery(LiveQuery { _ in 0 })
                let (lower, upper) = (bound(&random), bound(&random))
                queries.append((query, ValueRange(lower: lower, upper: upper)))
                index.add(query, ValueRange(lower: lower, upper: upper))
            }
            for value in [bound(&random) ?? .null, .null, .integer(.min), .text("")] {
                var found: [ObjectIdentifier] = []
                index.find(value) { found.append(ObjectIdentifier($0)) }
                let right = queries.filter { $0.range.contains(value) }.map { ObjectIdentifier($0.query) }
                #expect(found.count == right.count && Set(found) == Set(right))
            }
        }
        #expect(index.queries.count == queries.count)
        for (query, range) in queries { index.remove(query, range) }
        #expect(index.isEmpty)
    }

    @Test("R17 Each node knows the greatest bound below it, so that a search skips what cannot match")
    func greatest() {
        var random = SeededGenerator(seed: 1)
        let index = RangeIndex()
        var queries: [(query: any SharedQuery, range: ValueRange)] = []
        for step in 0..<300 {
            if step % 3 == 2, let position = queries.indices.randomElement(using: &random) {
                let (query, range) = queries.remove(at: position)
                index.remove(query, range)
            } else {
                let range = ValueRange(lower: bound(&random), upper: bound(&random))
                queries.append((TypedSharedQuery(LiveQuery { _ in 0 }), range))
                index.add(queries[queries.count - 1].query, range)
            }
            #expect(bounds(Mirror(reflecting: index).descendant("root", "some")).count == queries.count)
        }
    }

    /// The upper bounds of a node and of the nodes below it.
    private func bounds(_ node: Any?) -> [SQLValue?] {
        guard let node else { return [] }
        let mirror = Mirror(reflecting: node)
        let below = bounds(mirror.descendant("left", "some")) + bounds(mirror.descendant("right", "some"))
        let all = below + [(mirror.descendant("range") as? ValueRange)?.upper]
        let greatest = all.contains(nil) ? nil : all.compactMap { $0 }.max { $0.order($1) < 0 }
        #expect(mirror.descendant("greatest", "some") as? SQLValue == greatest)
        return all
    }

    /// A random bound: one of a few numbers, so that many are equal, a value of another class, or none.
    private func bound(_ random: inout SeededGenerator) -> SQLValue? {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: nil
        case 1: .text(TextZoo.random(&random))
        case 2: .blob([UInt8.random(in: 0...255, using: &random)])
        case 3: .integer([.min, .max, 0].randomElement(using: &random) ?? 0)
        default: .integer(Int64.random(in: -9...9, using: &random))
        }
    }
}
