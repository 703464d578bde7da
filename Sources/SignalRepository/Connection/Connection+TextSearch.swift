import CSQLite

extension Connection {
    func installTextSearch() throws(RepositoryError) {
        for search in TextSearch.allCases {
            try install(search.function, 2, number: search.rawValue) { context, _, values in
                let number = Int(bitPattern: sqlite3_user_data(context)) - 1
                guard let search = TextSearch(rawValue: number), let text = values?[0], let pattern = values?[1]
                else { return sqlite3_result_null(context) }
                sqlite3_result_int(context, search.finds(pattern, in: text) ? 1 : 0)
            }
        }
    }
}

extension TextSearch {
    fileprivate func finds(_ pattern: OpaquePointer, in value: OpaquePointer) -> Bool {
        guard sqlite3_value_type(value) == SQLITE_TEXT, let start = sqlite3_value_text(value) else { return false }
        let text = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
        let bytes = sqlite3_value_blob(pattern)?.assumingMemoryBound(to: UInt8.self)
        return finds(UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(pattern))), in: text)
    }
}
