/// Writes rows of CSV.
enum CSVText {
    /// Joins fields with commas, and quotes a field that a reader would otherwise misread.
    static func row(_ fields: [String?]) -> String {
        fields.map { field($0 ?? "") }.joined(separator: ",")
    }

    private static func field(_ text: String) -> String {
        let needsQuotes = text.unicodeScalars.contains {
            $0 == "," || $0 == "\"" || $0.properties.isWhitespace && $0 != " "
        }
        guard needsQuotes || text.hasPrefix(" ") || text.hasSuffix(" ") else { return text }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" { quoted += "\"" }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }
}
