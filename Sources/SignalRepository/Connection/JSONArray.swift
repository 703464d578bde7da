enum JSONArray {
    /// Returns the values as a JSON array; `nil` if one is neither an integer nor a text that JSON can represent.
    static func text(of values: [SQLValue]) -> String? {
        var json = "["
        for (index, value) in values.enumerated() {
            if index > 0 { json.append(",") }
            switch value {
            case .integer(let number): json += String(number)
            case .text(let text): guard append(text, to: &json) else { return nil }
            case .null, .real, .blob: return nil
            }
        }
        json.append("]")
        return json
    }

    /// Joins blobs, or texts, into one blob, and returns it with a JSON array of their offsets and lengths.
    ///
    /// Returns `nil` for other or mixed types, and for at most 64 values, which are better bound one by one.
    static func pieces(of values: [SQLValue]) -> (bytes: [UInt8], offsets: String, areTexts: Bool)? {
        guard values.count > 64 else { return nil }
        var bytes: [UInt8] = []
        var offsets = "["
        var texts = 0
        for (index, value) in values.enumerated() {
            if index > 0 { offsets.append(",") }
            let start = bytes.count
            switch value {
            case .blob(let piece): bytes += piece
            case .text(let piece):
                bytes += piece.utf8
                texts += 1
            case .null, .integer, .real: return nil
            }
            offsets += "[\(start + 1),\(bytes.count - start)]"
        }
        guard texts == 0 || texts == values.count else { return nil }
        offsets.append("]")
        // Every part of an empty blob is NULL, so the blob ends with a byte that belongs to no value.
        return (bytes + [0], offsets, texts > 0)
    }

    private static func append(_ text: String, to json: inout String) -> Bool {
        json.append("\"")
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\0": return false
            case "\"": json += "\\\""
            case "\\": json += "\\\\"
            case let control where control.value < 0x20:
                let digits = String(control.value, radix: 16)
                json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: json.unicodeScalars.append(scalar)
            }
        }
        json.append("\"")
        return true
    }
}
