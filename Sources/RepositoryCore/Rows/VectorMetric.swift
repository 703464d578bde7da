/// A measure of the distance between two vectors with the same number of components; smaller is nearer.
public enum VectorMetric: Sendable, Hashable, CaseIterable {
    /// One minus the cosine of the angle between the vectors: 0 for the same direction, 2 for the opposite one.
    ///
    /// A vector of zeros has the distance 1 from every vector.
    case cosine
    /// The length of the difference.
    case euclidean
    /// The inner product, negated so that the largest product is nearest.
    case dot
}

// The SQL functions use this code, and so do live queries that are updated in place. Products and sums of `Double`s
// cannot overflow for any `Float`s, and have a fixed order, so that equal bytes have one distance on every machine.
extension VectorMetric {
    private typealias Lanes = SIMD8<Double>

    /// Returns the bytes of a target: its components as `Double`s, scaled to the length 1 for `cosine`.
    ///
    /// A query converts its vector only once, not for each row.
    func target(_ components: [Float]) -> [UInt8] {
        var components = components.map { Double($0) }
        if self == .cosine {
            let length = components.reduce(0) { $0 + $1 * $1 }.squareRoot()
            if length > 0 { components = components.map { $0 / length } }
        }
        return components.withUnsafeBytes { Array($0) }
    }

    /// Returns the required size, in bytes, of a vector that is compared with a target.
    package static func byteCount(ofTarget target: UnsafeRawBufferPointer) -> Int { target.count / 2 }

    /// Returns the distance of a stored vector from a target; `nil` if it has another number of bytes, or a component
    /// that is not finite.
    package func distance(
        of vector: UnsafeRawBufferPointer, from target: UnsafeRawBufferPointer
    ) -> Double? {
        guard vector.count == Self.byteCount(ofTarget: target) else { return nil }
        let distance: Double
        switch self {
        case .cosine:
            let (product, square) = Self.sums(vector, target) { ($0 * $1, $0 * $0) }
            guard square.isFinite else { return nil }
            let similarity = square == 0 ? 0 : product / square.squareRoot()
            // Rounding may take the similarity beyond 1.
            distance = 1 - max(-1, min(1, similarity))
        case .euclidean:
            let square = Self.sums(vector, target) { vector, target in
                let difference = vector - target
                return (difference * difference, .zero)
            }.0
            distance = square.squareRoot()
        case .dot: distance = -Self.sums(vector, target) { ($0 * $1, .zero) }.0
        }
        return distance.isFinite ? distance : nil
    }

    /// Returns the sums of two terms over all components.
    ///
    /// Each of sixteen partial sums covers every sixteenth component. Missing components at the end count as zeros.
    @inline(__always)
    private static func sums(
        _ vector: UnsafeRawBufferPointer, _ target: UnsafeRawBufferPointer, _ terms: (Lanes, Lanes) -> (Lanes, Lanes)
    ) -> (Double, Double) {
        var (even, odd) = ((Lanes.zero, Lanes.zero), (Lanes.zero, Lanes.zero))
        let (size, end) = (MemoryLayout<SIMD8<Float>>.size, vector.count)
        var offset = 0
        while offset &+ 2 &* size <= end {
            add(terms(lanes(vector, offset), doubles(target, 2 &* offset)), to: &even)
            offset &+= size
            add(terms(lanes(vector, offset), doubles(target, 2 &* offset)), to: &odd)
            offset &+= size
        }
        while offset < end {
            let count = min(8, (end &- offset) / 4)
            var (left, right) = (Lanes.zero, Lanes.zero)
            for lane in 0..<count {
                left[lane] = Double(vector.loadUnaligned(fromByteOffset: offset + 4 * lane, as: Float.self))
                right[lane] = target.loadUnaligned(fromByteOffset: 2 * offset + 8 * lane, as: Double.self)
            }
            add(terms(left, right), to: &even)
            offset &+= size
        }
        return (sum(even.0 + odd.0), sum(even.1 + odd.1))
    }

    /// Returns the sum of the lanes, in an order that does not depend on the standard library's version.
    @inline(__always)
    private static func sum(_ lanes: Lanes) -> Double {
        let four = lanes.lowHalf + lanes.highHalf
        let two = four.lowHalf + four.highHalf
        return two.x + two.y
    }

    @inline(__always)
    private static func lanes(_ vector: UnsafeRawBufferPointer, _ offset: Int) -> Lanes {
        Lanes(vector.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self))
    }

    @inline(__always)
    private static func doubles(_ target: UnsafeRawBufferPointer, _ offset: Int) -> Lanes {
        target.loadUnaligned(fromByteOffset: offset, as: Lanes.self)
    }

    @inline(__always)
    private static func add(_ terms: (Lanes, Lanes), to sums: inout (Lanes, Lanes)) {
        sums.0 += terms.0
        sums.1 += terms.1
    }
}
