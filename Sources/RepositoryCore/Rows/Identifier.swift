/// Quoting and validation of the names of tables and columns.
///
/// SQLite works with bytes, so Swift's characters and their equality do not apply. A quoted name ends at the byte of a
/// quotation mark, even if a combining mark follows. Names that differ only in the case of ASCII letters are the same.
package enum Identifier {
    package static func quoted(_ name: String) -> String {
        enclosed(name, in: "\"")
    }

    static func append(_ name: String, to sql: inout String) {
        append(name, in: "\"", to: &sql)
    }

    /// Returns a text in single quotes, for SQL in which values cannot be bound, such as a declaration.
    package static func literal(_ text: String) -> String {
        enclosed(text, in: "'")
    }

    package static func list(_ names: [String]) -> String {
        names.map(quoted).joined(separator: ", ")
    }

    package static func test(_ names: [String]) -> String {
        names.map { "\(quoted($0)) = ?" }.joined(separator: " AND ")
    }

    /// Returns a name, or its beginning and a hash of the whole name if it is longer than the 63 bytes that PostgreSQL
    /// keeps.
    package static func shortened(_ name: String) -> String {
        let most = 63
        guard name.utf8.count > most else { return name }
        let end = "~" + String(name.fingerprint, radix: 36)
        var (start, count) = ("", end.utf8.count)
        for scalar in name.unicodeScalars {
            count += String(scalar).utf8.count
            guard count <= most else { break }
            start.unicodeScalars.append(scalar)
        }
        return start + end
    }

    private static func enclosed(_ text: String, in mark: String) -> String {
        var enclosed = ""
        append(text, in: mark, to: &enclosed)
        return enclosed
    }

    private static func append(_ text: String, in mark: String, to sql: inout String) {
        sql += mark
        // Only a text with a quotation mark is copied byte by byte, which is slow. Few names have one. The others must
        // be appended fast, because every statement names columns.
        if let byte = mark.utf8.first, text.utf8.contains(byte) {
            sql += String(decoding: text.utf8.flatMap { $0 == byte ? [byte, byte] : [$0] }, as: UTF8.self)
        } else {
            sql += text
        }
        sql += mark
    }

    /// A key that is equal for two names exactly when SQLite considers them the same.
    package static func key(_ name: String) -> [UInt8] {
        name.utf8.map { $0.folded }
    }

    package static func check(_ name: String, of thing: String) throws(RepositoryError) {
        guard !name.isEmpty else { throw .misuse(detail: "the name of \(thing) is empty") }
        guard !name.utf8.contains(0) else { throw .misuse(detail: "the name of \(thing) contains NUL") }
        guard !key(name).starts(with: "signal_repository_".utf8) else {
            throw .misuse(detail: "the name of \(thing), \(name), begins with signal_repository_, which is reserved")
        }
        guard !key(name).starts(with: "sqlite_".utf8) else {
            throw .misuse(detail: "the name of \(thing), \(name), begins with sqlite_, which is reserved for SQLite")
        }
    }
}

extension String {
    /// A 64-bit FNV-1a hash, the same in every process.
    package var fingerprint: UInt64 {
        utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
