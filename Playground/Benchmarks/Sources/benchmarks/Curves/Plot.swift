import Foundation

/// A picture of a few lines between two logarithmic axes.
struct Plot {
    struct Line {
        let name: String
        var points: [(x: Double, y: Double)]
    }

    let title: String
    /// The label of the horizontal axis; the vertical axis shows seconds.
    let size: String
    let lines: [Line]

    private static let colours = ["#0a6cce", "#d1495b", "#3a7d44"]
    private static let (left, top, width, height) = (80.0, 50.0, 480.0, 300.0)

    /// Writes the picture into a folder, and creates the folder if necessary.
    func write(in folder: String, as name: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let file = URL(fileURLWithPath: folder).appendingPathComponent(name + ".svg")
        try svg.write(to: file, atomically: true, encoding: .utf8)
    }

    /// The picture as SVG.
    private var svg: String {
        let points = lines.flatMap(\.points)
        let horizontal = Axis(points.map(\.x), from: Self.left, to: Self.left + Self.width)
        let vertical = Axis(points.map(\.y), from: Self.top + Self.height, to: Self.top)
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 420" font-family="sans-serif" font-size="12">
            <rect width="720" height="420" fill="white"/>
            <text x="\(Self.left)" y="28" font-size="15">\(title)</text>
            \(grid(horizontal, vertical).joined(separator: "\n"))
            \(zip(lines, Self.colours).map { draw($0, $1, horizontal, vertical) }.joined(separator: "\n"))
            <text x="\(Self.left + Self.width / 2)" y="405" text-anchor="middle">\(size)</text>
            </svg>

            """
    }

    private func grid(_ horizontal: Axis, _ vertical: Axis) -> [String] {
        let (right, bottom) = (Self.left + Self.width, Self.top + Self.height)
        return horizontal.ticks.map { tick in
            let x = horizontal.place(tick)
            return #"<path d="M\#(x) \#(Self.top)V\#(bottom)" stroke="lightgray"/>"#
                + #"<text x="\#(x)" y="\#(bottom + 18)" text-anchor="middle">\#(Int(tick.rounded()))</text>"#
        }
            + vertical.ticks.map { tick in
                let y = vertical.place(tick)
                return #"<path d="M\#(Self.left) \#(y)H\#(right)" stroke="lightgray"/>"#
                    + #"<text x="\#(Self.left - 8)" y="\#(y + 4)" text-anchor="end">"#
                    + Figure.amount(tick * 1.000001, .seconds) + "</text>"
            }
    }

    private func draw(_ line: Line, _ colour: String, _ horizontal: Axis, _ vertical: Axis) -> String {
        let places = line.points.map { (horizontal.place($0.x), vertical.place($0.y)) }
        let path = places.map { "\($0.0),\($0.1)" }.joined(separator: " ")
        let dots = places.map { #"<circle cx="\#($0.0)" cy="\#($0.1)" r="3" fill="\#(colour)"/>"# }.joined()
        let end = places.last ?? (0, 0)
        return #"<polyline points="\#(path)" fill="none" stroke="\#(colour)" stroke-width="2"/>\#(dots)"#
            + #"<text x="\#(end.0 + 10)" y="\#(end.1 + 4)" fill="\#(colour)">\#(line.name)</text>"#
    }
}

/// A logarithmic axis over whole powers of ten.
private struct Axis {
    private let (first, last): (Double, Double)
    private let (start, end): (Double, Double)

    init(_ values: [Double], from start: Double, to end: Double) {
        first = log10(values.min() ?? 1).rounded(.down)
        last = max(log10(values.max() ?? 1).rounded(.up), first + 1)
        (self.start, self.end) = (start, end)
    }

    var ticks: [Double] { stride(from: first, through: last, by: 1).map { pow(10, $0) } }

    func place(_ value: Double) -> Double {
        let place = start + (log10(value) - first) / (last - first) * (end - start)
        return (place * 10).rounded() / 10
    }
}
