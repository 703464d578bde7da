/// Lays texts out in aligned columns.
struct Table {
    struct Column {
        enum Alignment { case left, right }

        var title: String
        var alignment = Alignment.left
        /// Whether the column may be cut to make the table fit; amounts and dates never are.
        var canShrink = false
    }

    private static let gap = "  "
    private static let narrowest = 6

    var columns: [Column]
    /// The cells of each row; nil stays blank.
    var rows: [[String?]] = []

    /// Returns the table's lines: titles, a rule and the rows; none is wider than `width`, if given.
    func lines(width: Int?) -> [String] {
        let all = lines(shrunkTo: width)
        return width.map { width in all.map { DisplayWidth.cut($0, to: width) } } ?? all
    }

    /// Returns the table's lines, with texts cut so that the lines fit into `width` if possible; figures stay whole.
    func lines(shrunkTo width: Int?) -> [String] {
        let cells = rows.map { row in row.map { Escaping.visible($0 ?? "") } }
        var widths = columns.indices.map { index in
            cells.reduce(DisplayWidth.of(columns[index].title)) { max($0, DisplayWidth.of($1[index])) }
        }
        if let width { shrink(&widths, to: width) }
        let titles = line(columns.map(\.title), widths)
        let rule = widths.map { String(repeating: "-", count: $0) }.joined(separator: Self.gap)
        return [titles, rule] + cells.map { line($0, widths) }
    }

    /// Narrows the widest column that may shrink, one character at a time, until the table fits.
    private func shrink(_ widths: inout [Int], to width: Int) {
        var excess = widths.reduce(0, +) + Self.gap.count * (widths.count - 1) - width
        while excess > 0 {
            let candidates = columns.indices.filter { columns[$0].canShrink && widths[$0] > Self.narrowest }
            guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { return }
            widths[widest] -= 1
            excess -= 1
        }
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        var result = ""
        for (index, cell) in cells.enumerated() {
            let shown = DisplayWidth.cut(cell, to: widths[index])
            let padding = String(repeating: " ", count: widths[index] - DisplayWidth.of(shown))
            if index > 0 { result += Self.gap }
            result += columns[index].alignment == .left ? shown + padding : padding + shown
        }
        while result.last == " " { result.removeLast() }
        return result
    }
}
