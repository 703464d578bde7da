import Foundation

/// One report as a line of JSON; its figures are per run, not per operation.
struct JSONLine: Encodable {
    private let report: Report

    init(_ report: Report) {
        self.report = report
    }

    /// The line's text.
    func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(report.row.id, forKey: .id)
        try container.encode(report.ours.median, forKey: .ours)
        try container.encode(report.raw?.median, forKey: .raw)
        try container.encode(report.peer?.median, forKey: .peer)
        try container.encode(report.row.peer?.name, forKey: .peerName)
        try container.encode(report.row.operations, forKey: .operations)
        try container.encode(String(describing: report.row.unit), forKey: .unit)
        try container.encode(report.spread, forKey: .spread)
    }

    private enum Key: String, CodingKey {
        case id, ours, raw, peer, peerName, operations, unit, spread
    }
}
