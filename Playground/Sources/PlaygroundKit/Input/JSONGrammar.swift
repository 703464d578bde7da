/// Follows one JSON value byte by byte, and reports where it ends or why it is malformed.
///
/// It checks the whole grammar and the UTF-8, so that a fault and its position are known before anything is imported.
/// Its state has a fixed size: a value that is nested deeper than 64 levels is a fault.
struct JSONGrammar {
    enum Verdict: Equatable {
        case more
        /// The value ends with this byte.
        case ended
        /// The value ended before this byte, which is not part of it.
        case endedBefore
        case fault(String)
    }

    private enum State: UInt8 {
        case value, firstKeyOrEnd, key, colon, valueOrEnd, commaOrEnd
        case string, escape, hex
        case minus, zero, digits, point, fraction, exponentSign, exponentFirst, exponent
        case literal
    }

    static let deepest = 64

    private var state = State.value
    private var isKey = false
    private var hexLeft = 0
    private var literalRest: Substring.UTF8View = ""[...].utf8
    private var levels: UInt64 = 0
    private var depth = 0
    private var utf8 = UTF8Check()

    /// Whether a string is being read, in which only quotes, escapes and control characters have a meaning.
    var isInString: Bool { state == .string }

    /// Whether the value is a number that is complete if the input ends here.
    var mayEndHere: Bool {
        depth == 0 && (state == .zero || state == .digits || state == .fraction || state == .exponent)
    }

    mutating func accept(_ byte: UInt8) -> Verdict {
        switch state {
        case .string: return string(byte)
        case .escape: return escape(byte)
        case .hex: return hex(byte)
        case .literal: return literal(byte)
        case .minus, .zero, .digits, .point, .fraction, .exponentSign, .exponentFirst, .exponent: return number(byte)
        default: break
        }
        if byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { return .more }
        switch state {
        case .value: return value(byte)
        case .valueOrEnd: return byte == UInt8(ascii: "]") ? close(byte) : value(byte)
        case .firstKeyOrEnd where byte == UInt8(ascii: "}"): return close(byte)
        case .firstKeyOrEnd, .key:
            guard byte == UInt8(ascii: "\"") else { return unexpected(byte, "a key in quotes") }
            isKey = true
            state = .string
            return .more
        case .colon:
            guard byte == UInt8(ascii: ":") else { return unexpected(byte, "a colon") }
            state = .value
            return .more
        default: return commaOrEnd(byte)
        }
    }

    private func unexpected(_ byte: UInt8, _ wanted: String) -> Verdict {
        .fault("\(Escaping.name(ofByte: byte)) stands where \(wanted) is expected")
    }

    private mutating func value(_ byte: UInt8) -> Verdict {
        switch byte {
        case UInt8(ascii: "{"): return open(isObject: true)
        case UInt8(ascii: "["): return open(isObject: false)
        case UInt8(ascii: "\""): (isKey, state) = (false, .string)
        case UInt8(ascii: "-"): state = .minus
        case UInt8(ascii: "0"): state = .zero
        case UInt8(ascii: "1")...UInt8(ascii: "9"): state = .digits
        case UInt8(ascii: "t"): (state, literalRest) = (.literal, "rue"[...].utf8)
        case UInt8(ascii: "f"): (state, literalRest) = (.literal, "alse"[...].utf8)
        case UInt8(ascii: "n"): (state, literalRest) = (.literal, "ull"[...].utf8)
        default: return unexpected(byte, "a value")
        }
        return .more
    }

    private mutating func open(isObject: Bool) -> Verdict {
        guard depth < Self.deepest else { return .fault("values are nested deeper than \(Self.deepest) levels") }
        levels = levels << 1 | (isObject ? 1 : 0)
        depth += 1
        state = isObject ? .firstKeyOrEnd : .valueOrEnd
        return .more
    }

    private mutating func close(_ byte: UInt8) -> Verdict {
        let isObject = levels & 1 == 1
        guard byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
            return unexpected(byte, isObject ? "a comma or }" : "a comma or ]")
        }
        levels >>= 1
        depth -= 1
        return endValue()
    }

    private mutating func endValue() -> Verdict {
        state = .commaOrEnd
        return depth == 0 ? .ended : .more
    }

    private mutating func commaOrEnd(_ byte: UInt8) -> Verdict {
        guard byte == UInt8(ascii: ",") else { return close(byte) }
        state = levels & 1 == 1 ? .key : .value
        return .more
    }

    @inline(__always)
    private mutating func string(_ byte: UInt8) -> Verdict {
        guard utf8.accept(byte) else { return .fault("the text is not UTF-8") }
        if byte == UInt8(ascii: "\\") {
            state = .escape
        } else if byte == UInt8(ascii: "\"") {
            guard isKey else { return endValue() }
            state = .colon
        } else if byte < 0x20 {
            return .fault("\(Escaping.name(ofByte: byte)) stands inside a text")
        }
        return .more
    }

    private mutating func escape(_ byte: UInt8) -> Verdict {
        switch byte {
        case UInt8(ascii: "u"): (state, hexLeft) = (.hex, 4)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            state = .string
        default: return unexpected(byte, "an escape")
        }
        return .more
    }

    private mutating func hex(_ byte: UInt8) -> Verdict {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            hexLeft -= 1
            if hexLeft == 0 { state = .string }
            return .more
        default: return unexpected(byte, "a hexadecimal digit")
        }
    }

    private mutating func literal(_ byte: UInt8) -> Verdict {
        guard literalRest.first == byte else { return unexpected(byte, "true, false or null") }
        literalRest = literalRest.dropFirst()
        return literalRest.isEmpty ? endValue() : .more
    }

    private mutating func number(_ byte: UInt8) -> Verdict {
        let isDigit = byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
        let isExponent = byte | 0x20 == UInt8(ascii: "e")
        switch state {
        case .minus where byte == UInt8(ascii: "0"): state = .zero
        case .minus where isDigit: state = .digits
        case .digits where isDigit, .fraction where isDigit, .exponent where isDigit: break
        case .point where isDigit: state = .fraction
        case .exponentFirst where isDigit, .exponentSign where isDigit: state = .exponent
        case .exponentFirst where byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+"): state = .exponentSign
        case .zero where byte == UInt8(ascii: "."), .digits where byte == UInt8(ascii: "."): state = .point
        case .zero where isExponent, .digits where isExponent, .fraction where isExponent: state = .exponentFirst
        case .zero where isDigit: return unexpected(byte, "the end of a number that begins with 0")
        case .minus, .point, .exponentFirst, .exponentSign: return unexpected(byte, "a digit")
        default: return endNumber(byte)
        }
        return .more
    }

    /// Ends a number, which has no closing byte, and handles the byte after it.
    private mutating func endNumber(_ byte: UInt8) -> Verdict {
        if endValue() == .ended { return .endedBefore }
        return accept(byte)
    }
}
