/// Splits Swift text into code, comments and string literals.
///
/// Both views keep the shape of the text: all that does not belong to a view is blanked with spaces, byte for byte, and
/// every line break stays. A rule can thus search code without matching a word of a comment or a string, and still name
/// the line.
///
/// The scanner understands line comments, nested block comments, string literals (escapes, interpolation to any depth,
/// multi-line, raw) and regular expressions between `#/` and `/#`. It reads a bare `/…/` as code.
struct SwiftScanner {
    struct Literal: Equatable, Sendable {
        /// The line of the opening quote, counted from 1.
        let line: Int
        /// The text between the quotes as it is written, interpolations included.
        let text: String
    }

    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var code: [UInt8]
    private var comments: [UInt8]
    private(set) var literals: [Literal] = []

    var codeText: String { String(decoding: code, as: UTF8.self) }
    var commentText: String { String(decoding: comments, as: UTF8.self) }

    init(_ text: String) {
        bytes = Array(text.utf8)
        code = bytes.map { $0 == .newline ? .newline : .space }
        comments = code
        scanCode(untilClosingParenthesis: false)
    }

    private mutating func scanCode(untilClosingParenthesis: Bool) {
        var depth = 0
        while position < bytes.count {
            if starts("//") {
                scanLineComment()
            } else if starts("/*") {
                scanBlockComment()
            } else if let pounds = poundsBeforeQuote() {
                scanLiteral(pounds: pounds)
            } else if starts("#/") {
                scanRegex()
            } else {
                if untilClosingParenthesis, bytes[position] == .closingParenthesis {
                    if depth == 0 { return }
                    depth -= 1
                } else if bytes[position] == .openingParenthesis {
                    depth += 1
                }
                keepCode(1)
            }
        }
    }

    private mutating func scanLineComment() {
        while position < bytes.count, bytes[position] != .newline { keepComment(1) }
    }

    private mutating func scanBlockComment() {
        var depth = 0
        while position < bytes.count {
            if starts("/*") {
                depth += 1
                keepComment(2)
            } else if starts("*/") {
                depth -= 1
                keepComment(2)
                if depth == 0 { return }
            } else {
                keepComment(1)
            }
        }
    }

    private mutating func scanLiteral(pounds: Int) {
        let quotes = isMultilineOpening(at: position + pounds) ? "\"\"\"" : "\""
        let pound = String(repeating: "#", count: pounds)
        let openingLine = line
        keepCode(pounds + quotes.utf8.count)
        let start = position
        while position < bytes.count, !starts(quotes + pound) {
            if starts("\\" + pound + "(") {
                skip(1 + pounds)
                keepCode(1)
                scanCode(untilClosingParenthesis: true)
                keepCode(1)
            } else if starts("\\" + pound) {
                skip(2 + pounds)
            } else if bytes[position] == .newline, quotes.utf8.count == 1 {
                break
            } else {
                skip(1)
            }
        }
        literals.append(Literal(line: openingLine, text: String(decoding: bytes[start..<position], as: UTF8.self)))
        if starts(quotes + pound) { keepCode(quotes.utf8.count + pounds) }
    }

    private mutating func scanRegex() {
        keepCode(2)
        while position < bytes.count, !starts("/#") { skip(starts("\\") ? 2 : 1) }
        keepCode(2)
    }

    private func starts(_ prefix: String) -> Bool {
        var index = position
        for byte in prefix.utf8 {
            guard index < bytes.count, bytes[index] == byte else { return false }
            index += 1
        }
        return true
    }

    /// Returns how many `#` precede the quote that opens a literal here; `nil` if none opens.
    private func poundsBeforeQuote() -> Int? {
        var end = position
        while end < bytes.count, bytes[end] == .pound { end += 1 }
        return end < bytes.count && bytes[end] == .quote ? end - position : nil
    }

    /// Returns whether a multi-line literal opens here: nothing may follow its three quotes on their line.
    private func isMultilineOpening(at index: Int) -> Bool {
        guard bytes[index...].starts(with: "\"\"\"".utf8) else { return false }
        let rest = bytes[(index + 3)...].prefix { $0 != .newline }
        return rest.allSatisfy { $0 == .space || $0 == .carriageReturn || $0 == .tab }
    }

    private mutating func keepCode(_ count: Int) {
        for index in position..<min(position + count, bytes.count) { code[index] = bytes[index] }
        skip(count)
    }

    private mutating func keepComment(_ count: Int) {
        for index in position..<min(position + count, bytes.count) { comments[index] = bytes[index] }
        skip(count)
    }

    private mutating func skip(_ count: Int) {
        for index in position..<min(position + count, bytes.count) where bytes[index] == .newline { line += 1 }
        position = min(position + count, bytes.count)
    }
}

extension UInt8 {
    static let newline = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let tab = UInt8(ascii: "\t")
    static let space = UInt8(ascii: " ")
    static let quote = UInt8(ascii: "\"")
    static let pound = UInt8(ascii: "#")
    static let openingParenthesis = UInt8(ascii: "(")
    static let closingParenthesis = UInt8(ascii: ")")
}
