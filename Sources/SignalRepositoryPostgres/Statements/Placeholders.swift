import RepositoryCore

/// The text of a statement with PostgreSQL's parameters `$1`, `$2`, … in place of question marks.
///
/// The text may be raw SQL: a question mark in quotes, comments or dollar quotes is not a parameter.
struct Placeholders {
    let text: String
    /// For each parameter, the index of its value in the statement's bindings.
    let order: [Int]
    /// The indexes of all values that the text uses.
    let indexes: Set<Int>

    /// Numbers the parameters of a text.
    ///
    /// Equal constants share a parameter. PostgreSQL takes `x + $1` and `x + $2` for two expressions, and would reject
    /// `x + $1` in a query that groups by `x + $2`. `NULL` and bytes are not shared, because their type depends on
    /// their position in the statement.
    ///
    /// If `values` is `nil`, because values are bound later for each row, each parameter keeps its number.
    init(_ sql: String, _ values: [SQLValue]?) {
        var text: [UInt8] = []
        text.reserveCapacity(sql.utf8.count + 16)
        var (order, numbers): ([Int], [SQLValue: Int]) = ([], [:])
        var given: [Int: Int] = [:]
        var next = 0
        var scanner = SQLScanner(sql)
        while let part = scanner.next() {
            guard case .parameter(let number) = part else {
                if case .text(let bytes) = part { text += bytes }
                continue
            }
            let index = number.map { $0 - 1 } ?? next
            if number == nil { next += 1 }
            let value = values.map { $0.indices.contains(index) ? $0[index] : .null } ?? .null
            let known = given[index] ?? (value.isShared ? numbers[value] : nil)
            let parameter = values == nil ? index + 1 : known ?? order.count + 1
            if known == nil { order.append(index) }
            given[index] = parameter
            if value.isShared { numbers[value] = parameter }
            text += "$\(parameter)".utf8
        }
        (self.text, self.order, indexes) = (String(decoding: text, as: UTF8.self), order, Set(given.keys))
    }
}

extension SQLValue {
    /// Whether equal values have the same type, wherever they are in a statement.
    fileprivate var isShared: Bool {
        switch self {
        case .integer, .real, .text: true
        case .null, .blob: false
        }
    }
}

private struct SQLScanner {
    enum Part {
        case text(ArraySlice<UInt8>)
        /// A question mark, and the number after it, if there is one.
        case parameter(Int?)
    }

    private let bytes: [UInt8]
    private var index = 0

    init(_ sql: String) {
        bytes = Array(sql.utf8)
    }

    mutating func next() -> Part? {
        guard index < bytes.count else { return nil }
        let start = index
        if bytes[index] == UInt8(ascii: "?") {
            index += 1
            let digits = bytes[index...].prefix(while: Self.isDigit)
            index += digits.count
            return .parameter(Int(String(decoding: digits, as: UTF8.self)))
        }
        while index < bytes.count, bytes[index] != UInt8(ascii: "?") { skip() }
        return .text(bytes[start..<index])
    }

    /// Skips one character, or a whole quotation, comment or name.
    private mutating func skip() {
        let following = index + 1 < bytes.count ? bytes[index + 1] : 0
        switch (bytes[index], following) {
        case (UInt8(ascii: "'"), _): skip(to: UInt8(ascii: "'"), escape: nil)
        case (UInt8(ascii: "\""), _): skip(to: UInt8(ascii: "\""), escape: nil)
        case (UInt8(ascii: "-"), UInt8(ascii: "-")):
            while index < bytes.count, bytes[index] != UInt8(ascii: "\n"), bytes[index] != UInt8(ascii: "\r") {
                index += 1
            }
        case (UInt8(ascii: "/"), UInt8(ascii: "*")): skipComment()
        case (UInt8(ascii: "$"), _): skipDollars()
        case (let byte, _) where Self.isInName(byte): skipName()
        default: index += 1
        }
    }

    private static func isInName(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || byte >= 0x80 || isLetter(byte) || isDigit(byte)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    /// Skips a name or a number, in which a dollar sign does not begin a quotation.
    ///
    /// If the name is `E`, skips the string after it, too: in such a string, a backslash escapes the next character.
    private mutating func skipName() {
        let name = bytes[index...].prefix { Self.isInName($0) || $0 == UInt8(ascii: "$") }
        index = name.endIndex
        let isEscaped = name.count == 1 && name[name.startIndex] | 0x20 == UInt8(ascii: "e")
        // A doubled quote does not end the string.
        while isEscaped, index < bytes.count, bytes[index] == UInt8(ascii: "'") {
            skip(to: UInt8(ascii: "'"), escape: UInt8(ascii: "\\"))
        }
    }

    /// Skips a quotation; a doubled quotation mark ends one quotation and begins another.
    private mutating func skip(to mark: UInt8, escape: UInt8?) {
        index += 1
        while index < bytes.count, bytes[index] != mark { index += bytes[index] == escape ? 2 : 1 }
        index = min(index + 1, bytes.count)
    }

    /// Skips a comment, including nested comments.
    private mutating func skipComment() {
        var depth = 0
        repeat {
            if bytes[index...].starts(with: "/*".utf8) {
                depth += 1
                index += 2
            } else if bytes[index...].starts(with: "*/".utf8) {
                depth -= 1
                index += 2
            } else {
                index += 1
            }
        } while index < bytes.count && depth > 0
    }

    /// Skips a string between `$tag$` and `$tag$`.
    private mutating func skipDollars() {
        let tag = bytes[(index + 1)...].prefix(while: Self.isInName)
        let isDigit = tag.first.map(Self.isDigit) ?? false
        guard !isDigit, tag.endIndex < bytes.count, bytes[tag.endIndex] == UInt8(ascii: "$") else {
            index += 1
            return
        }
        let mark = bytes[index...tag.endIndex]
        index = tag.endIndex + 1
        while index < bytes.count {
            if bytes[index...].starts(with: mark) { return index += mark.count }
            index += 1
        }
    }
}
