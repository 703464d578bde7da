import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("The least and greatest values of a group") struct ExtremesTests {
    @Test("As long as an extreme is known, it is right", arguments: 0..<40)
    func extremes(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let isLeast = seed.isMultiple(of: 2)
        let range: ClosedRange<Int64> = seed % 4 < 2 ? -5...5 : -10_000...10_000
        var values = (0..<[0, 1, 31, 32, 33, 500][seed % 6]).map { _ in Int64.random(in: range, using: &random) }
        var extremes = read(values, isLeast)
        var reads = 0
        for step in 0..<2_000 {
            // The group grows at first, and shrinks later.
            let isAdded = Int.random(in: 0..<100, using: &random) < (step < 1_000 ? 60 : 30)
            if isAdded || values.isEmpty {
                values.append(Int64.random(in: range, using: &random))
                extremes.add(.integer(values[values.count - 1]))
            } else {
                let isExtreme = Bool.random(using: &random)
                let extreme = isLeast ? values.min() : values.max()
                let index =
                    isExtreme ? values.firstIndex { $0 == extreme } : values.indices.randomElement(using: &random)
                let value = values.remove(at: index ?? 0)
                let isRight = extremes.remove(.integer(value))
                #expect(isRight)
            }
            let right = (isLeast ? values.min() : values.max()).map { SQLValue.integer($0) } ?? .null
            guard let extreme = extremes.extreme else {
                reads += 1
                extremes = read(values, isLeast)
                continue
            }
            #expect(extreme == right)
        }
        #expect(reads < 100)
        #expect(!read([3, 4], isLeast).isWrong(removing: 3))
        #expect(read([3, 4], isLeast).isWrong(removing: 5))
    }

    private func read(_ values: [Int64], _ isLeast: Bool) -> Extremes {
        let sorted = isLeast ? values.sorted() : values.sorted(by: >)
        let few = sorted.prefix(Extremes.few).map { SQLValue.integer($0) }
        return Extremes(isLeast: isLeast, few, isComplete: few.count < Extremes.few)
    }
}

extension Extremes {
    /// Whether removing the value fails.
    fileprivate func isWrong(removing value: Int64) -> Bool {
        var copy = self
        return !copy.remove(.integer(value))
    }
}
