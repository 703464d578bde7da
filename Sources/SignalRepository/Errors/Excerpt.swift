extension String {
    /// The text as it appears in an error: whole, or its first 1,000 bytes and its length.
    var excerpt: String {
        let most = 1_000
        guard utf8.count > most else { return self }
        var end = utf8.index(startIndex, offsetBy: most)
        // Not in the middle of a character.
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return "\(self[..<end])… (\(utf8.count) bytes)"
    }
}
