import Foundation

/// The progress of a long piece of work, in words.
struct Progress: Equatable {
    var rows: Int
    var seconds: Double
    /// The part that is done, from 0 to 1; nil if the total is not known.
    var fraction: Double?

    /// Returns a bar and the figures, for a terminal.
    var bar: String {
        guard let fraction else { return figures }
        let filled = Int((min(max(fraction, 0), 1) * 30).rounded(.down))
        return "[" + String(repeating: "#", count: filled) + String(repeating: ".", count: 30 - filled) + "] " + figures
    }

    /// Returns the figures alone, for a file or a pipe.
    var figures: String {
        let percent = fraction.map { "\(Int((min(max($0, 0), 1) * 100).rounded(.down))) %, " } ?? ""
        return "\(percent)\(rows) rows, \(rate) rows/s"
    }

    private var rate: Int {
        let rate = Double(rows) / max(seconds, 0.001)
        return Int(exactly: rate.rounded()) ?? 0
    }
}
