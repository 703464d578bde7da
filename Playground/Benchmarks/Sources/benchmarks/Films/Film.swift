import Foundation

/// The entity that every row about storing and reading uses.
struct Film: Sendable, Equatable, Identifiable {
    let id: UUID
    var title: String
    var releaseDate: Date
    var boxOffice: Decimal
    var studio: String?
}

extension Film {
    /// Films that are the same in every run and for every form; made when a row first needs them.
    static let samples: [Film] = {
        var random = SplitMix64(state: 0x5EED_F11A)
        return (0..<200_000).map { index in sample(index, &random) }
    }()

    /// Returns `count` of the samples, from all over the table.
    static func scattered(_ count: Int) -> [Film] { (0..<count).map { samples[($0 * 7919 + 13) % samples.count] } }

    private static func sample(_ index: Int, _ random: inout SplitMix64) -> Film {
        var bytes = uuid_t(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &bytes) { bytes in
            for place in bytes.indices { bytes[place] = UInt8.random(in: 0...255, using: &random) }
        }
        let noun = nouns[Int.random(in: 0..<nouns.count, using: &random)]
        let day = Int.random(in: -20_000...9_000, using: &random)
        let hundredths = Int64.random(in: 0...300_000_000_000, using: &random)
        let studio = Int.random(in: 0..<50, using: &random)
        return Film(
            id: UUID(uuid: bytes), title: "\(noun) \(index)",
            releaseDate: Date(timeIntervalSinceReferenceDate: Double(day) * 86_400),
            boxOffice: Amount.decimal(hundredths * 100),
            studio: studio < 40 ? "Studio \(studio)" : nil)
    }

    private static let nouns = ["The Long Night of", "Return to", "Amélie and", "A Short History of", "Summer"]
}

extension Sequence<Film> {
    /// A checksum over every property of every film, in any order.
    var checksum: Int {
        reduce(0) { sum, film in
            var checksum = Checksum()
            withUnsafeBytes(of: film.id.uuid) { bytes in
                for byte in bytes { checksum.combine(byte) }
            }
            checksum.combine(film.title)
            checksum.combine(film.releaseDate.timeIntervalSinceReferenceDate)
            checksum.combine(Amount.scaled(film.boxOffice))
            checksum.combine(film.studio)
            return sum &+ checksum.value
        }
    }
}

/// A small random number generator that gives the same numbers in every run.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
