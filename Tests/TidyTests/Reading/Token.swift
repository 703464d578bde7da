/// A word, a number, an arrow or one character of punctuation.
struct Token: Equatable, Sendable {
    let text: String
    /// Counted from 1.
    let line: Int

    var isWord: Bool { text.utf8.first.map(Self.isWordByte) ?? false }

    static func tokens(of code: String) -> [Token] {
        let bytes = Array(code.utf8)
        var tokens: [Token] = []
        var line = 1
        var position = 0
        while position < bytes.count {
            var end = position + 1
            if isWordByte(bytes[position]) {
                while end < bytes.count, isWordByte(bytes[end]) { end += 1 }
            } else if bytes[position] == UInt8(ascii: "-"), end < bytes.count, bytes[end] == UInt8(ascii: ">") {
                end += 1
            }
            let text = String(decoding: bytes[position..<end], as: UTF8.self)
            if bytes[position] == .newline {
                line += 1
            } else if !text.allSatisfy(\.isWhitespace) {
                tokens.append(Token(text: text, line: line))
            }
            position = end
        }
        return tokens
    }

    static func joined(_ tokens: some Sequence<Token>) -> String {
        tokens.map(\.text).joined()
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "`"), 0x80...:
            return true
        default:
            return false
        }
    }
}
