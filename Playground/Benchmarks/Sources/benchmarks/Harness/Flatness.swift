/// The growth of an operation's cost from the smallest to the largest row of a kind.
struct Flatness {
    /// The rows: the smallest and the largest.
    let rows: (String, String)
    /// The largest allowed ratio between the costs of the largest and the smallest row.
    let limit: Double

    /// Returns a line with the measured ratio; nil if one of the rows was not run.
    func line(_ reports: [Report]) -> String? {
        guard let small = cost(rows.0, reports), let large = cost(rows.1, reports) else { return nil }
        let isHeld = large <= small * limit
        return "\(rows.1) / \(rows.0): \(Figure.ratio(large / small)), ≤ \(Figure.ratio(limit)) "
            + (isHeld ? "held" : "missed")
    }

    private func cost(_ id: String, _ reports: [Report]) -> Double? {
        reports.first { $0.row.id == id }.map { $0.ours.median / Double($0.row.operations) }
    }
}
