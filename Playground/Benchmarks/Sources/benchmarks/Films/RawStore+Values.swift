import CSQLite

extension RawStore {
    /// SQLITE_TRANSIENT, which Swift cannot import: SQLite copies a bound value before the call returns.
    ///
    /// It is safe to make from these bits because SQLite compares the pointer and never calls it.
    static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    func bind(_ text: String, to statement: OpaquePointer, at index: Int32) {
        var text = text
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                _ = sqlite3_bind_text(
                    statement, index, characters.baseAddress, Int32(characters.count), Self.transient)
            }
        }
    }

    func bind(_ number: Int64?, to statement: OpaquePointer, at index: Int32) {
        if let number {
            sqlite3_bind_int64(statement, index, number)
        } else {
            sqlite3_bind_null(statement, index)
        }
    }

    func text(_ statement: OpaquePointer, _ column: Int32) -> String? {
        guard let characters = sqlite3_column_text(statement, column) else { return nil }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: characters, count: count), as: UTF8.self)
    }

    func number(_ statement: OpaquePointer, _ column: Int32) -> Int64? {
        sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : sqlite3_column_int64(statement, column)
    }
}
