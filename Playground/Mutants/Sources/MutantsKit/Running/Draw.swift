/// Draws mutants at random; the same seed draws the same ones.
enum Draw {
    static func sample(_ count: Int, of mutants: [Mutant], seed: UInt64) -> [Mutant] {
        var generator = SplitMix(state: seed)
        return Array(mutants.shuffled(using: &generator).prefix(count))
    }

    /// SplitMix64.
    struct SplitMix: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var bits = state
            bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
            bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
            return bits ^ (bits >> 31)
        }
    }
}
