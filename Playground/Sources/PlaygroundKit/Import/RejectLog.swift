import Foundation

/// Keeps the first rejected rows for the summary, counts all of them, and writes all to a file if one is named.
struct RejectLog {
    static let shownCount = 10

    private(set) var count = 0
    private(set) var first: [RejectedRow] = []
    private var file: FileHandle?
    private var pending: [UInt8] = []
    private let path: String?

    /// Makes an empty log; with a path, its file is created or emptied at once.
    init(path: String?) throws(PlaygroundError) {
        self.path = path
        guard let path else { return }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw PlaygroundError("\(Escaping.visible(path)) cannot be written: \(OpenFile.systemReason())")
        }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// The lines that a person reads at the end: the first rejected rows, and the number of the others.
    var summary: [String] {
        let more = count - first.count
        let place = path.map { ", all are in \(Escaping.visible($0))" } ?? "; name a file with --rejects to have all"
        return first.map { "rejected " + $0.description } + (more > 0 ? ["and \(more) more\(place)"] : [])
    }

    mutating func add(_ row: RejectedRow) throws(PlaygroundError) {
        count += 1
        if first.count < Self.shownCount { first.append(row) }
        guard file != nil else { return }
        pending += Array(row.json.utf8)
        pending.append(0x0A)
        if pending.count >= 1 << 16 { try flush() }
    }

    /// Writes the pending rows.
    mutating func flush() throws(PlaygroundError) {
        guard let file, !pending.isEmpty else { return }
        do {
            try file.write(contentsOf: pending)
        } catch {
            throw PlaygroundError("\(Escaping.visible(path ?? "")) cannot be written: \(OpenFile.systemReason())")
        }
        pending.removeAll(keepingCapacity: true)
    }
}
