/// Follows the bytes of a text, and reports whether they are well-formed UTF-8.
///
/// It keeps its state between blocks, so that a block may end within a character.
struct UTF8Check {
    private var missing = 0
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF

    /// Whether no character is half read.
    var isWhole: Bool { missing == 0 }

    /// Takes one byte; returns false if it is not allowed here.
    @inline(__always)
    mutating func accept(_ byte: UInt8) -> Bool {
        if missing == 0 && byte < 0x80 { return true }
        return acceptPart(byte)
    }

    private mutating func acceptPart(_ byte: UInt8) -> Bool {
        if missing > 0 {
            guard byte >= lowest && byte <= highest else { return false }
            missing -= 1
            (lowest, highest) = (0x80, 0xBF)
            return true
        }
        switch byte {
        case 0xC2...0xDF: missing = 1
        case 0xE0: (missing, lowest) = (2, 0xA0)
        case 0xED: (missing, highest) = (2, 0x9F)
        case 0xE1...0xEF: missing = 2
        case 0xF0: (missing, lowest) = (3, 0x90)
        case 0xF4: (missing, highest) = (3, 0x8F)
        case 0xF1...0xF3: missing = 3
        default: return false
        }
        return true
    }
}
