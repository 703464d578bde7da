import Foundation

// Rejecting raw SQL that would end the transaction, or change the connection permanently.
extension PostgresConnection {
    /// Returns the word because of which raw SQL is rejected; `nil` if the SQL is accepted.
    static func endingWord(of sql: String) -> String? {
        let words = [
            "ABORT", "BEGIN", "CLUSTER", "COMMIT", "COPY", "DEALLOCATE", "DISCARD", "END", "LISTEN", "NOTIFY",
            "PREPARE",
            "RELEASE", "RESET", "ROLLBACK", "SAVEPOINT", "SET", "START", "UNLISTEN", "VACUUM",
        ]
        let first = withoutComment(sql[...]).prefix { $0.isLetter }.uppercased()
        if words.contains(first) { return first }
        // The function `set_config` has the effect of SET.
        return sql.range(of: "set_config", options: .caseInsensitive) == nil ? nil : "set_config"
    }

    /// Whether a statement runs a procedure or a block of code, which may change the connection.
    static func calls(_ sql: String) -> Bool {
        ["DO", "CALL"].contains(withoutComment(sql[...]).prefix { $0.isLetter }.uppercased())
    }

    /// Returns the statement from its first letter outside of comments; comments may be nested.
    private static func withoutComment(_ sql: Substring) -> Substring {
        var (rest, depth) = (sql.unicodeScalars, 0)
        while let scalar = rest.first {
            let next = rest.dropFirst().first
            if scalar == "/", next == "*" {
                depth += 1
                rest = rest.dropFirst(2)
            } else if scalar == "*", next == "/", depth > 0 {
                depth -= 1
                rest = rest.dropFirst(2)
            } else if scalar == "-", next == "-", depth == 0 {
                rest = rest.drop { $0 != "\n" && $0 != "\r" }
            } else if depth == 0, scalar.properties.isAlphabetic {
                break
            } else {
                rest = rest.dropFirst()
            }
        }
        return Substring(rest)
    }
}
