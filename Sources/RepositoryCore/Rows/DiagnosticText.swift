// Helpers for error messages.

extension String {
    package var withoutStop: String {
        var text = self[...]
        while let last = text.last, last == "." || last.isWhitespace { text.removeLast() }
        return String(text)
    }

    var sentence: String { withoutStop + "." }
}

extension BinaryInteger {
    /// The number and the noun: `1 value`, `2 values`.
    package func counted(_ noun: String) -> String { self == 1 ? "1 \(noun)" : "\(self) \(noun)s" }
}
