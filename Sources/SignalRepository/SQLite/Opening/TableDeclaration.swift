/// The declaration of a table, as a file has it: the words of its columns and constraints.
struct TableDeclaration {
    let text: [UInt8]
    /// Each column and each constraint.
    private(set) var items: [ArraySlice<DeclarationWord>] = []
    /// Where the parenthesis is that ends them.
    private(set) var end: Int?

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
            items.append(words[start..<end])
            if end < words.count, words[end].depth == 0 {
                self.end = words[end].range.lowerBound
                break
            }
            start = end + 1
        }
    }

    /// The first item whose first word passes a test.
    func item(_ isFirst: (DeclarationWord) -> Bool) -> ArraySlice<DeclarationWord>? {
        items.first { $0.first.map(isFirst) ?? false }
    }

    /// The checks that have a name.
    var checks: [CheckShape] {
        items.compactMap { item in
            guard item.count > 3, item[item.startIndex].says("CONSTRAINT"), item[item.startIndex + 2].says("CHECK"),
                let expression = expression(in: item[(item.startIndex + 3)...])
            else { return nil }
            return CheckShape(name: item[item.startIndex + 1].bareName, expression: expression)
        }
    }

    /// The expression that a column is computed by.
    func computation(of column: String) -> String? {
        guard let item = item({ $0.names(column) }),
            let start = item.firstIndex(where: { $0.depth == 1 && $0.says("AS") })
        else { return nil }
        return expression(in: item[(start + 1)...])
    }

    /// What stands in the parentheses that some words begin with.
    private func expression(in words: ArraySlice<DeclarationWord>) -> String? {
        guard let open = words.first, open.text == [UInt8(ascii: "(")],
            let close = words.first(where: { $0.depth == open.depth && $0.text == [UInt8(ascii: ")")] })
        else { return nil }
        return String(decoding: text[open.range.upperBound..<close.range.lowerBound], as: UTF8.self)
    }
}
