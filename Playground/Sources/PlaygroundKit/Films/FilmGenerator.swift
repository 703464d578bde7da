import Foundation

/// A generator of invented films, the same ones for the same seed, one at a time.
struct FilmGenerator: Sequence, IteratorProtocol, Sendable {
    static let studios = ["Blue Lantern", "Harbour Films", "Meridian", "Northlight", "Old Mill Pictures", "Tidewater"]
    private static let genres = ["Action", "Comedy", "Documentary", "Drama", "Horror", "Musical"]
    private static let adjectives = ["Quiet", "Last", "Golden", "Broken", "Distant", "Second", "Crooked", "Winter"]
    private static let nouns = ["River", "Letter", "Orchard", "Station", "Promise", "Island", "Engine", "Summer"]

    private var state: UInt64
    private var number = 0
    private let count: Int

    init(count: Int, seed: UInt64 = 1998) {
        self.count = count
        state = seed
    }

    mutating func next() -> Film? {
        guard number < count else { return nil }
        number += 1
        let title = "The \(pick(Self.adjectives)) \(pick(Self.nouns)) \(number)"
        let day = Double(random(below: 18_000) - 9_000)
        let studio = random(below: 20) == 0 ? nil : pick(Self.studios)
        let gross = random(below: 40) == 0 ? nil : Decimal(random(below: 90_000_000))
        return Film(
            title: title, releaseDate: Date(timeIntervalSinceReferenceDate: day * 86_400), boxOffice: gross,
            studio: studio, genre: pick(Self.genres))
    }

    private mutating func pick(_ words: [String]) -> String {
        words[random(below: words.count)]
    }

    /// Draws a number by SplitMix64, which needs no more state than its seed.
    private mutating func random(below bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
    }
}
