/// Cuts the bytes of a CSV file into whole records, without parsing their fields.
///
/// It knows quotes and line ends (LF, CRLF, CR), so that a line break inside quotes does not end a
/// record, and it counts lines.
struct CSVRecordCutter {
    private enum State { case fieldStart, plain, quoted, quoteInQuoted }

    /// One record's bytes without its line end, and the line on which it begins.
    struct Cut: Equatable {
        var line: Int
        var bytes: [UInt8]
    }

    private var reader: ByteReader
    private var end = 0
    private var index = 0
    private var state = State.fieldStart
    private var utf8 = UTF8Check()
    private var line = 1
    private var quoteLine = 1
    private var isAfterReturn = false
    private var isAtStart = true
    private var fault: PlaygroundError?

    init(_ reader: ByteReader) {
        self.reader = reader
    }

    var bytesRead: Int { reader.count }

    /// Whether another record may be returned without reading the file.
    var hasBytesAtHand: Bool { index < end }

    /// Returns the next record that is not blank, or nil at the end of the input.
    ///
    /// After a fault, every later call throws it again, because the rest cannot be cut into records reliably.
    mutating func next() throws(PlaygroundError) -> Cut? {
        if let fault { throw fault }
        do throws(PlaygroundError) {
            return try cut()
        } catch {
            fault = error
            throw error
        }
    }

    private mutating func cut() throws(PlaygroundError) -> Cut? {
        var cut = Cut(line: line, bytes: [])
        while true {
            if index == end {
                // The first read gets at least three bytes, so that it includes a whole byte order mark.
                (end, index) = (try reader.fill(atLeast: isAtStart ? 3 : 1), 0)
                guard end > 0 else { return try finish(cut) }
                if isAtStart { try skipByteOrderMark() }
            }
            let start = index
            let isWhole = try scan()
            cut.bytes.append(contentsOf: reader.block[start..<(isWhole ? index - 1 : index)])
            guard cut.bytes.count <= largestRow else {
                throw PlaygroundError("line \(cut.line): a row is larger than \(largestRow) bytes\(quoteNote)")
            }
            guard isWhole else { continue }
            if !isBlank(cut.bytes) { return cut }
            cut = Cut(line: line, bytes: [])
        }
    }

    /// Moves to just after the next line end outside quotes (true), or to the end of the block (false).
    private mutating func scan() throws(PlaygroundError) -> Bool {
        while index < end {
            let byte = reader.block[index]
            index += 1
            guard utf8.accept(byte) else { throw malformed("the text is not UTF-8") }
            guard byte != 0 else { throw malformed("byte 0x00 stands in the text") }
            if byte == 0x0A || byte == 0x0D {
                let isSecondHalf = byte == 0x0A && isAfterReturn
                isAfterReturn = byte == 0x0D
                if !isSecondHalf { line += 1 }
                if state == .quoted { continue }
                state = .fieldStart
                return true
            }
            isAfterReturn = false
            switch (state, byte) {
            case (.fieldStart, UInt8(ascii: "\"")):
                (state, quoteLine) = (.quoted, line)
            case (.quoted, UInt8(ascii: "\"")): state = .quoteInQuoted
            case (.quoted, _): break
            case (.quoteInQuoted, UInt8(ascii: "\"")): state = .quoted
            case (_, UInt8(ascii: ",")): state = .fieldStart
            case (.fieldStart, 0x20), (.fieldStart, 0x09), (.quoteInQuoted, 0x20), (.quoteInQuoted, 0x09): break
            default: state = .plain
            }
        }
        return false
    }

    private mutating func finish(_ cut: Cut) throws(PlaygroundError) -> Cut? {
        guard state != .quoted else { throw PlaygroundError("line \(quoteLine): a quote is opened and never closed") }
        guard utf8.isWhole else { throw malformed("the input ends inside a UTF-8 character") }
        guard !isAtStart else { throw PlaygroundError("the input is empty") }
        return isBlank(cut.bytes) ? nil : cut
    }

    private mutating func skipByteOrderMark() throws(PlaygroundError) {
        isAtStart = false
        let first = reader.block[..<min(3, end)]
        if first.elementsEqual([0xEF, 0xBB, 0xBF]) { index = 3 }
        if first.starts(with: [0xFF, 0xFE]) || first.starts(with: [0xFE, 0xFF]) {
            throw PlaygroundError("the input is UTF-16, and only UTF-8 is read")
        }
    }

    private func isBlank(_ bytes: [UInt8]) -> Bool {
        bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 }
    }

    private var quoteNote: String {
        state == .quoted ? " (a quote opened on line \(quoteLine) is still open)" : ""
    }

    private func malformed(_ reason: String) -> PlaygroundError {
        PlaygroundError("malformed CSV at line \(line): \(reason)")
    }
}
