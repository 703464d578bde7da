import SignalsTesting
import Testing

@testable import RepositoryCore

@Suite("Distances of bytes") struct VectorMetricTests {
    /// The distance by one loop over `Double`s.
    private static func plain(_ metric: VectorMetric, _ left: [Float], _ right: [Float]) -> Double {
        let pairs = zip(left, right).map { (Double($0), Double($1)) }
        let product = pairs.reduce(0) { $0 + $1.0 * $1.1 }
        switch metric {
        case .dot: return -product
        case .euclidean: return pairs.reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
        case .cosine:
            let lengths = [left, right].map { $0.reduce(0) { $0 + Double($1) * Double($1) }.squareRoot() }
            return lengths.contains(0) ? 1 : 1 - product / (lengths[0] * lengths[1])
        }
    }

    /// The distance of bytes that begin `shift` bytes after an aligned address.
    private static func distance(
        _ metric: VectorMetric, _ left: [Float], _ right: [Float], shift: Int = 0
    ) -> Double? {
        let space = [UInt8](repeating: 0xFF, count: shift)
        let (bytes, target) = (space + left.withUnsafeBytes { Array($0) }, space + metric.target(right))
        return bytes.withUnsafeBytes { bytes in
            target.withUnsafeBytes { target in
                metric.distance(
                    of: UnsafeRawBufferPointer(rebasing: bytes[shift...]),
                    from: UnsafeRawBufferPointer(rebasing: target[shift...]))
            }
        }
    }

    @Test("Random vectors have the distances of a plain loop, at every alignment", arguments: VectorMetric.allCases)
    func values(metric: VectorMetric) throws {
        var random = SeededGenerator(seed: 7)
        for count in Array(1...70) + [384] {
            let vectors = (0..<2).map { _ in (0..<count).map { _ in Float.random(in: -10...10, using: &random) } }
            let expected = Self.plain(metric, vectors[0], vectors[1])
            let found = try #require(Self.distance(metric, vectors[0], vectors[1]))
            #expect(abs(found - expected) <= 1e-13 * max(1, abs(expected)), "\(count)")
            for shift in 1...16 {
                #expect(Self.distance(metric, vectors[0], vectors[1], shift: shift) == found, "\(count), \(shift)")
            }
        }
    }

    @Test("Each component counts, wherever it is")
    func components() {
        for count in 1...40 {
            for position in 0..<count {
                var vector = [Float](repeating: 0, count: count)
                vector[position] = 3
                let target = (0..<count).map { Float($0 + 1) }
                #expect(Self.distance(.dot, vector, target) == -3 * Double(position + 1))
                #expect(Self.distance(.euclidean, vector, [Float](repeating: 0, count: count)) == 3)
            }
        }
    }

    @Test("A vector of zeros has the cosine distance 1, and the largest components do not overflow")
    func extremes() throws {
        let (zero, one, largest): ([Float], [Float], [Float]) = ([0, 0], [1, 2], [.greatestFiniteMagnitude, 0])
        for (left, right) in [(zero, one), (one, zero), (zero, zero)] {
            #expect(Self.distance(.cosine, left, right) == 1)
        }
        #expect(Self.distance(.cosine, largest, largest) == 0)
        let least: [Float] = [.leastNonzeroMagnitude, 0]
        #expect(Self.distance(.cosine, least, largest) == 0)
        #expect(Self.distance(.cosine, largest, [-1, 0]) == 2)
        let length = Double(Float.greatestFiniteMagnitude)
        #expect(Self.distance(.dot, largest, largest) == -length * length)
        #expect(Self.distance(.euclidean, largest, [-.greatestFiniteMagnitude, 0]) == 2 * length)
        for metric in VectorMetric.allCases {
            let same = try #require(Self.distance(metric, [0.1, 0.7, 0.3], [0.1, 0.7, 0.3]))
            #expect(metric == .dot || (0...1e-15).contains(same))
        }
    }

    @Test("Other numbers of bytes, and components that are not finite, have no distance")
    func refused() {
        for metric in VectorMetric.allCases {
            for count in [0, 1, 3, 20] {
                #expect(Self.distance(metric, [Float](repeating: 1, count: count), [1, 2]) == nil)
            }
            for wrong in [Float.nan, .infinity, -.infinity] {
                for position in [0, 5, 19] {
                    var vector = [Float](repeating: 1, count: 20)
                    vector[position] = wrong
                    for target in [Float(0), 1] {
                        #expect(Self.distance(metric, vector, [Float](repeating: target, count: 20)) == nil)
                    }
                }
            }
        }
    }
}
