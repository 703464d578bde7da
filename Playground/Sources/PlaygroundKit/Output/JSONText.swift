import Foundation

/// Writes JSON by hand, so that members keep their order, and amounts keep all their digits.
package enum JSONText {
    /// Writes a text in quotes; control characters are escaped.
    package static func string(_ text: String) -> String {
        // A fast path, because most texts need no escape.
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C }) { return "\"\(text)\"" }
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                if scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) {
                    result += "\\u" + Escaping.hex(scalar.value, digits: 4)
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result + "\""
    }

    package static func string(_ text: String?) -> String { text.map { string($0) } ?? "null" }

    /// Writes an amount as a number with all its digits.
    static func number(_ amount: Decimal?) -> String { amount.map(Amount.text) ?? "null" }

    static func number(_ number: Int?) -> String { number.map(String.init) ?? "null" }

    /// Writes an object of members whose values are JSON already.
    package static func object(_ members: [(String, String)]) -> String {
        "{" + members.map { "\(string($0.0)): \($0.1)" }.joined(separator: ", ") + "}"
    }

    /// Writes an array of elements that are JSON already, one on each line.
    static func array(_ elements: [String]) -> [String] {
        ["["] + elements.enumerated().map { "  \($1)" + ($0 == elements.count - 1 ? "" : ",") } + ["]"]
    }
}
