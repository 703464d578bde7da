/// A picture of how the cost of a kind of live query grows with a size, with a line for each form.
struct Curve {
    /// The name of the picture's file.
    let name: String
    let title: String
    /// The label of the horizontal axis: the size that grows.
    let size: String
    let points: [(size: Int, row: Row)]

    var rows: [Row] { points.map(\.row) }

    /// Measures the points and draws them.
    func draw(in folder: String, clock: Meter.Clock) throws {
        let runner = Runner(rounds: 2, clock: clock)
        var lines: [Plot.Line] = []
        for (size, row) in points {
            let report = try runner.run(row)
            let forms = [(row.ours, report.ours), (row.peer, report.peer), (row.raw, report.raw)]
            for case (let form?, let sample?) in forms {
                let name = form.name
                let point = (Double(size), sample.median / Double(row.operations))
                print("\(title), \(size) \(self.size), \(name): \(Figure.amount(point.1, row.unit))")
                if let place = lines.firstIndex(where: { $0.name == name }) {
                    lines[place].points.append(point)
                } else {
                    lines.append(Plot.Line(name: name, points: [point]))
                }
            }
        }
        try Plot(title: title, size: size, lines: lines).write(in: folder, as: name)
    }
}

extension Curve {
    /// All pictures.
    static var all: [Curve] { local + server }

    private static var local: [Curve] {
        [
            Curve(
                name: "sum", title: "One change, write → live sum", size: "rows in the table",
                points: sizes(1_000, 1_000_000).map { ($0, Catalogue.liveSum("curve.\($0)", $0, changes: 10)) }),
            Curve(
                name: "list", title: "One change, write → live list with its changes", size: "rows in the list",
                points: sizes(1_000, 1_000_000).map { size in
                    (size, Catalogue.liveListChanges("curve.\(size)", size, changes: 10, peerChanges: 3))
                }),
            Curve(
                name: "reads", title: "One change, write → the one that follows it", size: "subscriptions by id",
                points: sizes(10, 10_000).map { size in
                    (size, Catalogue.liveReads("curve.\(size)", size, changes: 50, peerChanges: 10))
                }),
            Curve(
                name: "commit", title: "One commit, write → live sum over 100,000 rows", size: "rows in the commit",
                points: sizes(1, 100_000).map { ($0, Catalogue.liveCommit("curve.commit.\($0)", rows: $0)) }),
        ]
    }

    /// Returns the powers of ten from `first` to `last`.
    static func sizes(_ first: Int, _ last: Int) -> [Int] {
        Array(sequence(first: first) { $0 < last ? $0 * 10 : nil })
    }
}
