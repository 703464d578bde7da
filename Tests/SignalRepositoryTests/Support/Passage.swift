import SignalsTesting

@testable import RepositoryCore
@testable import SignalRepository

/// An entity with vectors, for tests of distances.
struct Passage: Entity, Equatable {
    let id: Int
    var text: String
    var embedding: Vector
    var summary: Vector?

    static let schema = Schema(
        Column("id", \Passage.id), Column("text", \.text), Column("embedding", \.embedding, .dimensions(3)),
        Column("summary", \.summary, .dimensions(3)), make: Passage.init)

    static func random(_ id: Int, _ random: inout SeededGenerator) -> Passage {
        Passage(
            id: id, text: ["a", "b", "c"].randomElement(using: &random) ?? "", embedding: .random(&random),
            summary: Int.random(in: 0..<3, using: &random) == 0 ? nil : .random(&random))
    }
}

extension Vector {
    /// A vector of small whole numbers, so that many distances are equal.
    static func random(_ random: inout SeededGenerator) -> Vector {
        Vector((0..<3).map { _ in Float(Int.random(in: -2...2, using: &random)) })
    }

    func distance(from target: Vector, _ metric: VectorMetric) -> Double {
        elements.withUnsafeBytes { vector in
            metric.target(target.elements).withUnsafeBytes { metric.distance(of: vector, from: $0) ?? .nan }
        }
    }
}
