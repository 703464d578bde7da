/// Reads JSON values one after the other: the elements of one array, or one value on each line.
///
/// It holds one block of the file and one value of at most `largestRow` bytes, however large the file is.
struct JSONRecordReader: RecordReader {
    private enum Place {
        case start, firstElement, element, afterElement, afterArray
    }

    private let isArray: Bool
    private var reader: ByteReader
    private var end = 0
    private var index = 0
    private var line = 1
    private var column = 0
    private var place: Place
    private var seenAny = false
    private var fault: PlaygroundError?

    /// Reads an array's elements, or with `isArray` false the values on the lines of an NDJSON file.
    init(_ reader: ByteReader, isArray: Bool) {
        self.reader = reader
        self.isArray = isArray
        self.place = isArray ? .start : .element
    }

    var bytesRead: Int { reader.count }

    mutating func next() throws(PlaygroundError) -> SourceRecord? {
        if let fault { throw fault }
        do throws(PlaygroundError) {
            return try value()
        } catch {
            fault = error
            throw error
        }
    }

    private mutating func value() throws(PlaygroundError) -> SourceRecord? {
        while let byte = try nextByte() {
            if byte == 0x0A && !isArray { place = .element }
            if byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A { continue }
            if !seenAny, try skipsByteOrderMark(byte) { continue }
            seenAny = true
            if let record = try take(byte) { return record }
        }
        guard seenAny else { throw PlaygroundError("the input is empty") }
        if isArray && place != .afterArray { throw malformed("the input ends inside the array") }
        return nil
    }

    mutating func skip() throws(PlaygroundError) -> Bool { try next() != nil }

    /// Handles a byte outside the elements, and reads an element if the byte begins one.
    private mutating func take(_ byte: UInt8) throws(PlaygroundError) -> SourceRecord? {
        switch place {
        case .start:
            guard byte == UInt8(ascii: "[") else {
                throw malformed("\(Escaping.name(ofByte: byte)) stands where the array's [ is expected")
            }
            place = .firstElement
            return nil
        case .firstElement where byte == UInt8(ascii: "]"):
            place = .afterArray
            return nil
        case .firstElement, .element:
            place = .afterElement
            return try element(from: byte)
        case .afterElement where isArray && byte == UInt8(ascii: ","):
            place = .element
            return nil
        case .afterElement where isArray && byte == UInt8(ascii: "]"):
            place = .afterArray
            return nil
        case .afterElement:
            let wanted = isArray ? "a comma or ]" : "the end of the line"
            throw malformed("\(Escaping.name(ofByte: byte)) stands where \(wanted) is expected")
        case .afterArray:
            throw malformed("\(Escaping.name(ofByte: byte)) stands after the array's end")
        }
    }

    private mutating func element(from first: UInt8) throws(PlaygroundError) -> SourceRecord {
        let firstLine = line
        var grammar = JSONGrammar()
        var bytes: [UInt8] = []
        var byte = first
        while true {
            switch grammar.accept(byte) {
            case .more: bytes.append(byte)
            case .ended:
                bytes.append(byte)
                try checkSize(bytes, firstLine)
                return SourceRecord(line: firstLine, content: .json(bytes))
            case .endedBefore:
                stepBack()
                return SourceRecord(line: firstLine, content: .json(bytes))
            case .fault(let reason): throw malformed(reason)
            }
            if grammar.isInString { copyText(into: &bytes) }
            try checkSize(bytes, firstLine)
            guard let following = try nextByte() else {
                if grammar.mayEndHere { return SourceRecord(line: firstLine, content: .json(bytes)) }
                throw malformed("the input ends inside a row")
            }
            if following == 0x0A && !isArray {
                if grammar.mayEndHere {
                    stepBack()
                    return SourceRecord(line: firstLine, content: .json(bytes))
                }
                throw PlaygroundError("malformed JSON at line \(firstLine): the line ends inside a value")
            }
            byte = following
        }
    }

    private func checkSize(_ bytes: [UInt8], _ line: Int) throws(PlaygroundError) {
        guard bytes.count <= largestRow else {
            throw PlaygroundError("line \(line): a row is larger than \(largestRow) bytes")
        }
    }

    /// Copies the plain ASCII of a text at once, which is most of a file and needs no step of the grammar.
    private mutating func copyText(into bytes: inout [UInt8]) {
        let start = index
        while index < end {
            let byte = reader.block[index]
            guard byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else { break }
            index += 1
        }
        guard index > start else { return }
        column += index - start
        bytes.append(contentsOf: reader.block[start..<index])
    }

    private mutating func nextByte() throws(PlaygroundError) -> UInt8? {
        if index == end {
            end = try reader.fill()
            index = 0
            guard end > 0 else { return nil }
        }
        let byte = reader.block[index]
        index += 1
        if isAfterNewline {
            line += 1
            column = 0
        }
        isAfterNewline = byte == 0x0A
        column += 1
        return byte
    }

    private var isAfterNewline = false

    /// Puts back the byte that was read last, which is never the first of a line.
    private mutating func stepBack() {
        index -= 1
        column -= 1
        isAfterNewline = false
    }

    private mutating func skipsByteOrderMark(_ byte: UInt8) throws(PlaygroundError) -> Bool {
        guard line == 1, column == 1 else { return false }
        if byte == 0xFE || byte == 0xFF { throw PlaygroundError("the input is UTF-16, and only UTF-8 is read") }
        guard byte == 0xEF else { return false }
        let second = try nextByte()
        let third = try nextByte()
        guard second == 0xBB, third == 0xBF else { throw malformed("the input does not begin as JSON") }
        column = 0
        return true
    }

    private func malformed(_ reason: String) -> PlaygroundError {
        PlaygroundError("malformed JSON at line \(line), column \(column): \(reason)")
    }
}
