import SignalsTesting
import Testing

@testable import SignalRepository

@Suite("Live queries by ranges of values") struct RangeIndexTests {
    @Test("It finds those whose range contains a value, and no others", arguments: 0..<20)
    func finds(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let index = RangeIndex()
        var nodes: [(node: any LiveNode, range: ValueRange)] = []
        for _ in 0..<[3, 40, 600][seed % 3] {
            if Int.random(in: 0..<4, using: &random) == 0, let place = nodes.indices.randomElement(using: &random) {
                let (node, range) = nodes.remove(at: place)
                index.remove(node, range)
            } else {
                let node = QueryNode(LiveQuery { _ in 0 })
                let (lower, upper) = (bound(&random), bound(&random))
                nodes.append((node, ValueRange(lower: lower, upper: upper)))
                index.add(node, ValueRange(lower: lower, upper: upper))
            }
            for value in [bound(&random) ?? .null, .null, .integer(.min), .text("")] {
                var found: [ObjectIdentifier] = []
                index.find(value) { found.append(ObjectIdentifier($0)) }
                let right = nodes.filter { $0.range.contains(value) }.map { ObjectIdentifier($0.node) }
                #expect(found.count == right.count && Set(found) == Set(right))
            }
        }
        #expect(index.nodes.count == nodes.count)
        for (node, range) in nodes { index.remove(node, range) }
        #expect(index.isEmpty)
    }

    /// Any bound: few numbers, so that many are equal; of several classes; none.
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
