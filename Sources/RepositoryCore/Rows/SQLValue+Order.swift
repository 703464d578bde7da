import Foundation

extension SQLValue {
    /// Compares in SQLite's order, which is NULL, numbers, text by its bytes, and blobs.
    ///
    /// The result is negative if this value comes first, and positive if `other` comes first.
    func order(_ other: SQLValue) -> Int {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): return left < right ? -1 : left > right ? 1 : 0
        case (.real(let left), .real(let right)): return left < right ? -1 : left > right ? 1 : 0
        case (.integer(let left), .real(let right)): return Self.order(left, right)
        case (.real(let left), .integer(let right)): return -Self.order(right, left)
        case (.text(let left), .text(let right)): return ExactText(left).order(ExactText(right))
        case (.blob(let left), .blob(let right)):
            // Safe because each pointer is used only inside its closure.
            return left.withUnsafeBytes { left in right.withUnsafeBytes { right in Self.order(left, right) } }
        default: return rank - other.rank
        }
    }

    func precedes(_ other: SQLValue) -> Bool { order(other) < 0 }

    /// Compares an integer with a floating-point number, without rounding either.
    private static func order(_ integer: Int64, _ real: Double) -> Int {
        guard let whole = Int64(exactly: real.rounded(.down)) else { return real < 0 ? 1 : -1 }
        if integer != whole { return integer < whole ? -1 : 1 }
        return real > Double(whole) ? -1 : 0
    }

    fileprivate static func order(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        if let one = left.baseAddress, let other = right.baseAddress {
            let order = memcmp(one, other, min(left.count, right.count))
            if order != 0 { return Int(order) }
        }
        return left.count - right.count
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .integer, .real: 1
        case .text: 2
        case .blob: 3
        }
    }
}

extension ExactText {
    /// Compares by bytes.
    ///
    /// The result is negative if this text comes first, and positive if `other` comes first.
    fileprivate func order(_ other: ExactText) -> Int {
        // Safe because each pointer is used only inside its closure.
        var (left, right) = (text, other.text)
        return left.withUTF8 { left in
            right.withUTF8 { SQLValue.order(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer($0)) }
        }
    }
}
