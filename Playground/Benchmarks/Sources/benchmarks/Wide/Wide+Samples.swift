extension Wide {
    /// Rows that are the same in every run and for every form; made when a row of the table first needs them.
    static let samples: [Wide] = {
        var random = SplitMix64(state: 0x5EED_71DE)
        return (0..<50_000).map { sample($0, &random) }
    }()

    private static func sample(_ id: Int64, _ random: inout SplitMix64) -> Wide {
        func count() -> Int64 { .random(in: -1_000_000...1_000_000, using: &random) }
        func level() -> Double { .random(in: -100...100, using: &random) }
        func delay() -> Int64? { Bool.random(using: &random) ? .random(in: 0...600, using: &random) : nil }
        func name() -> String { "name \(Int.random(in: 0..<5_000, using: &random))" }
        return Wide(
            id: id, count1: count(), level1: level(), delay1: delay(), name1: name(), count2: count(),
            level2: level(), delay2: delay(), name2: name(), count3: count(), level3: level(), delay3: delay(),
            name3: name(), count4: count(), level4: level(), delay4: delay(), name4: name(), count5: count(),
            level5: level(), delay5: delay(), name5: name(), count6: count(), level6: level(), delay6: delay(),
            name6: name(), count7: count(), level7: level(), count8: count(), level8: level(), level9: level())
    }
}

extension Sequence<Wide> {
    /// A checksum over every property of every row, in any order.
    var checksum: Int {
        reduce(0) { sum, row in
            var checksum = Checksum()
            checksum.combine(row.id)
            checksum.combine(row.count1)
            checksum.combine(row.level1)
            checksum.combine(row.delay1)
            checksum.combine(row.name1)
            checksum.combine(row.count2)
            checksum.combine(row.level2)
            checksum.combine(row.delay2)
            checksum.combine(row.name2)
            checksum.combine(row.count3)
            checksum.combine(row.level3)
            checksum.combine(row.delay3)
            checksum.combine(row.name3)
            checksum.combine(row.count4)
            checksum.combine(row.level4)
            checksum.combine(row.delay4)
            checksum.combine(row.name4)
            checksum.combine(row.count5)
            checksum.combine(row.level5)
            checksum.combine(row.delay5)
            checksum.combine(row.name5)
            checksum.combine(row.count6)
            checksum.combine(row.level6)
            checksum.combine(row.delay6)
            checksum.combine(row.name6)
            checksum.combine(row.count7)
            checksum.combine(row.level7)
            checksum.combine(row.count8)
            checksum.combine(row.level8)
            checksum.combine(row.level9)
            return sum &+ checksum.value
        }
    }
}
