/// A table's declaration in a file, split into the words of its columns and constraints.
struct TableDeclaration {
    let text: [UInt8]
    /// The words of each column and each constraint.
    private(set) var items: [ArraySlice<DeclarationWord>] = []
    /// The offset of the parenthesis that closes the list of columns and constraints.
    private(set) var end: Int?
    /// The index of the first item that begins with each name, by its `Identifier.key`; columns precede constraints.
    private var columns: [[UInt8]: Int] = [:]
    /// Whether the declaration says AUTOINCREMENT, which SQLite allows only in the primary key.
    private(set) var isGenerated = false

    init(_ declaration: String) {
        text = Array(declaration.utf8)
        let words = DeclarationWord.words(of: text)
        guard let open = words.firstIndex(where: { $0.text == [UInt8(ascii: "(")] }) else { return }
        var start = open + 1
        while start < words.count {
            let end =
                words[start...].firstIndex { word in
                    word.depth == 1 && word.text == [UInt8(ascii: ",")]
                        || word.depth == 0 && word.text == [UInt8(ascii: ")")]
                } ?? words.count
            if let first = words[start..<end].first {
                let key = Identifier.key(first.bareName)
                if columns[key] == nil { columns[key] = items.count }
            }
            items.append(words[start..<end])
            isGenerated = isGenerated || words[start..<end].contains { $0.says("AUTOINCREMENT") }
            if end < words.count, words[end].depth == 0 {
                self.end = words[end].range.lowerBound
                break
            }
            start = end + 1
        }
    }

    func item(of column: String) -> ArraySlice<DeclarationWord>? { columns[Identifier.key(column)].map { items[$0] } }

    /// Returns the meaning of a column's values from the comment after the column's name; `nil` without a comment.
    func meaning(of column: String) -> ColumnMeaning? {
        guard let words = item(of: column)?.prefix(2), words.count == 2 else { return nil }
        let gap = text[words[words.startIndex].range.upperBound..<words[words.startIndex + 1].range.lowerBound]
        return ColumnMeaning(comment: String(decoding: gap.dropFirst().dropLast(), as: UTF8.self))
    }

    /// Returns the range of a column's name and type if the library wrote them, without a comment between them.
    func rangeWithoutMeaning(of column: ColumnShape) -> Range<Int>? {
        let words = "\(Identifier.quoted(column.name)) \(column.type)".utf8
        guard let start = item(of: column.name)?.first?.range.lowerBound, text[start...].starts(with: words) else {
            return nil
        }
        return start..<start + words.count
    }

    /// The named checks.
    var checks: [CheckShape] {
        items.compactMap { item in
            guard item.count > 3, item[item.startIndex].says("CONSTRAINT"), item[item.startIndex + 2].says("CHECK"),
                let expression = expression(in: item[(item.startIndex + 3)...])
            else { return nil }
            return CheckShape(name: item[item.startIndex + 1].bareName, expression: expression)
        }
    }

    func computation(of column: String) -> String? {
        guard let item = item(of: column),
            let start = item.firstIndex(where: { $0.depth == 1 && $0.says("AS") })
        else { return nil }
        return expression(in: item[(start + 1)...])
    }

    /// Returns the text between the parentheses with which the words begin; `nil` if they begin with another word.
    private func expression(in words: ArraySlice<DeclarationWord>) -> String? {
        guard let open = words.first, open.text == [UInt8(ascii: "(")],
            let close = words.first(where: { $0.depth == open.depth && $0.text == [UInt8(ascii: ")")] })
        else { return nil }
        return String(decoding: text[open.range.upperBound..<close.range.lowerBound], as: UTF8.self)
    }
}
