extension Statement {
    /// Finds the index of each column of a schema among those of a row, by name.
    ///
    /// A missing column is `.misuse`, and so is one that occurs twice, as in a join: either could be meant.
    func places<Item: Row>(of schema: Schema<Item>) throws(RepositoryError) -> [Int] {
        var found: [String: [Int]] = [:]
        for (place, name) in columnNames.enumerated() { found[name, default: []].append(place) }
        var places: [Int] = []
        for name in schema.names {
            guard let candidates = found[name] else {
                throw .misuse(detail: "the column \(name) of \(Item.rowName) is not among those of: \(sql.excerpt)")
            }
            guard candidates.count == 1 else {
                throw .misuse(
                    detail: "the column \(name) stands \(candidates.count) times in the rows of: \(sql.excerpt)")
            }
            places += candidates
        }
        return places
    }
}
