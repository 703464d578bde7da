/// A limit that a row must meet.
enum Bar {
    /// Our form costs at most this many times the cost of the raw form.
    case ofRaw(Double)
    /// Our form costs at most this many times the cost of the peer.
    case ofPeer(Double)
    /// Our form costs at most this per operation, in seconds, allocations or bytes.
    case perOperation(Double)

    /// Whether the medians of `report` meet the limit; nil if the form to compare with was not run.
    func isMet(by report: Report) -> Bool? {
        let ours = report.ours.median
        switch self {
        case .ofRaw(let limit): return report.raw.map { ours <= $0.median * limit }
        case .ofPeer(let limit): return report.peer.map { ours <= $0.median * limit }
        case .perOperation(let limit): return ours <= limit * Double(report.row.operations)
        }
    }

    /// The limit as the table shows it.
    func text(_ unit: Row.Unit) -> String {
        switch self {
        case .ofRaw(let limit): return "\(Figure.ratio(limit)) raw"
        case .ofPeer(let limit): return "\(Figure.ratio(limit)) peer"
        case .perOperation(let limit): return Figure.amount(limit, unit)
        }
    }
}
