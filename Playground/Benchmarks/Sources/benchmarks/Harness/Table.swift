/// The reports as one table with aligned columns.
struct Table {
    private static let titles = ["row", "work", "ours", "raw", "peer", "", "ours/raw", "ours/peer", "bar", ""]

    private let reports: [Report]

    init(_ reports: [Report]) {
        self.reports = reports
    }

    /// The table's lines, the heading first.
    var lines: [String] {
        let rows = [Self.titles] + reports.map(Self.cells)
        let widths = Self.titles.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { cells in
            zip(cells.indices, cells)
                .map { column, text in
                    let space = String(repeating: " ", count: widths[column] - text.count)
                    return Self.isNumber(column) ? space + text : text + space
                }
                .joined(separator: "  ")
                .trimmingTrailingSpaces()
        }
    }

    private static func isNumber(_ column: Int) -> Bool {
        [2, 3, 4, 6, 7].contains(column)
    }

    private static func cells(_ report: Report) -> [String] {
        let row = report.row
        func figure(_ sample: Sample?) -> String {
            sample.map { Figure.amount($0.median / Double(row.operations), row.unit) } ?? "–"
        }
        func ratio(_ sample: Sample?) -> String {
            sample.map { Figure.ratio(report.ours.median / $0.median) } ?? "–"
        }
        let missed = row.bars.contains { $0.isMet(by: report) == false }
        return [
            row.id + (report.spread > Load.wideSpread ? "*" : ""), row.work,
            figure(report.ours), figure(report.raw), figure(report.peer), row.peer?.name ?? "",
            ratio(report.raw), ratio(report.peer),
            row.bars.isEmpty ? "" : "≤ " + row.bars.map { $0.text(row.unit) }.joined(separator: ", "),
            row.bars.isEmpty ? "" : missed ? "missed" : "held",
        ]
    }
}

extension String {
    fileprivate func trimmingTrailingSpaces() -> String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
