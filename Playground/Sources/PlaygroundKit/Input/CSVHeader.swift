/// The names of a CSV file's columns, and the indexes of the columns with a film's properties.
final class CSVHeader: Sendable {
    let names: [String]
    /// The index of the column for each property that the file has.
    let columns: [FilmFields.Name: Int]

    init(_ fields: [String]) throws(PlaygroundError) {
        names = fields.map { $0.trimmed }
        var columns: [FilmFields.Name: Int] = [:]
        for (index, name) in names.enumerated() {
            guard let property = FilmFields.Name(header: name) else { continue }
            guard columns.updateValue(index, forKey: property) == nil else {
                throw PlaygroundError("line 1: two columns give the \(property.rawValue)")
            }
        }
        guard columns[.title] != nil else {
            let shown = names.prefix(8).map { "\"\(Escaping.visible(String($0.prefix(40))))\"" }.joined(separator: ", ")
            throw PlaygroundError(
                "line 1: no column is named Title or title, only \(shown)\(names.count > 8 ? ", …" : "")")
        }
        self.columns = columns
    }
}
