/// A checksum of values, which is the same in every process.
///
/// `Hasher` has another seed in each process, so it could not compare two forms.
struct Checksum {
    private(set) var value = 0

    mutating func combine(_ number: some BinaryInteger) {
        value = (value ^ Int(truncatingIfNeeded: number)) &* 0x9E37_79B9_7F4A_7C1
        value ^= value >> 29
    }

    mutating func combine(_ number: Double) { combine(number.bitPattern) }

    mutating func combine(_ number: Int64?) {
        combine(number == nil ? 0 : 1)
        combine(number ?? 0)
    }

    mutating func combine(_ text: String?) {
        guard let text else { return combine(-1) }
        for byte in text.utf8 { combine(byte) }
        combine(text.utf8.count)
    }
}
