import CSQLite

extension Statement {
    /// Finds the columns of a schema among those of a row, by name: where each of them stands.
    ///
    /// A column that is missing is `.misuse`, and so is one that stands twice, as in a join: either could be meant.
    func places<Item: Entity>(of schema: Schema<Item>) throws(RepositoryError) -> [Int] {
        var found: [String: [Int]] = [:]
        for place in 0..<columnCount {
            guard let name = sqlite3_column_name(pointer, Int32(place)) else { continue }
            found[String(cString: name), default: []].append(place)
        }
        var places: [Int] = []
        for name in schema.names {
            guard let candidates = found[name] else {
                throw .misuse(detail: "the column \(name) of \(Item.entityName) is not among those of: \(sql)")
            }
            guard candidates.count == 1 else {
                throw .misuse(detail: "the column \(name) stands \(candidates.count) times in the rows of: \(sql)")
            }
            places += candidates
        }
        return places
    }

    /// Makes an item of values, for a statement that returns its parameters.
    func item<Item: Entity>(_ schema: Schema<Item>, of values: [SQLValue]) throws(RepositoryError) -> Item {
        try bind(values)
        defer { reset() }
        guard try step() else { throw .misuse(detail: "a row was not returned") }
        return try item(schema)
    }
}
