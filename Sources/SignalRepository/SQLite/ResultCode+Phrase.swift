import CSQLite

extension ResultCode: CustomStringConvertible {
    /// SQLite's phrase for the code, and the number.
    public var description: String {
        let phrase = sqlite3_errstr(rawValue).map { String(cString: $0) } ?? "unknown result"
        return "\(phrase) (\(rawValue))"
    }
}
