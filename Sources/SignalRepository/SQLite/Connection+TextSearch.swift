import CSQLite

extension Connection {
    /// Installs the functions that conditions use to search text.
    ///
    /// They may be used only in statements, not in what a file brings along: a view, a trigger, an index.
    func installTextSearch() throws(RepositoryError) {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
        for search in TextSearch.allCases {
            // One more than the number, because zero would make a null pointer.
            let number = UnsafeMutableRawPointer(bitPattern: search.rawValue + 1)
            let code = sqlite3_create_function_v2(
                handle, search.function.description, 2, flags, number,
                { context, _, values in
                    let number = Int(bitPattern: sqlite3_user_data(context)) - 1
                    guard let search = TextSearch(rawValue: number), let text = values?[0], let pattern = values?[1]
                    else { return sqlite3_result_null(context) }
                    sqlite3_result_int(context, search.finds(pattern, in: text) ? 1 : 0)
                }, nil, nil, nil)
            guard code == SQLITE_OK else { throw notAccepted("functions of a program's own") }
        }
    }
}

extension TextSearch {
    /// Whether a text value contains the bytes that another value holds.
    fileprivate func finds(_ pattern: OpaquePointer, in value: OpaquePointer) -> Bool {
        guard sqlite3_value_type(value) == SQLITE_TEXT, let start = sqlite3_value_text(value) else { return false }
        let text = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
        let bytes = sqlite3_value_blob(pattern)?.assumingMemoryBound(to: UInt8.self)
        return finds(UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(pattern))), in: text)
    }
}
