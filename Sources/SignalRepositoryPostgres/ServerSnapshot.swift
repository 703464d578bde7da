/// Which transactions a snapshot sees, as `pg_current_snapshot()` says it.
///
/// A position in the write-ahead log does not tell that: of two commits the later one in the log may be visible first.
struct ServerSnapshot: Sendable {
    /// All before this one have ended; all from `end` on have not begun.
    let start: UInt64
    let end: UInt64
    /// Those in between that had not ended.
    let running: Set<UInt64>

    /// `nil` when the text is something else.
    init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let start = UInt64(parts[0]), let end = UInt64(parts[1]), start <= end else {
            return nil
        }
        let running = parts[2].split(separator: ",").map { UInt64($0) }
        guard !running.contains(nil) else { return nil }
        (self.start, self.end, self.running) = (start, end, Set(running.compactMap { $0 }))
    }

    /// Whether it sees a transaction that was committed, of whose number 32 bits are known.
    func sees(_ transaction: UInt32) -> Bool {
        // The number with these bits that is nearest to the end.
        let distance = Int32(bitPattern: transaction &- UInt32(truncatingIfNeeded: end))
        return sees(end &+ UInt64(bitPattern: Int64(distance)))
    }

    private func sees(_ transaction: UInt64) -> Bool {
        transaction < start || transaction < end && !running.contains(transaction)
    }

    /// Whether it sees everything that another one does.
    func contains(_ other: ServerSnapshot) -> Bool {
        end >= other.end && !running.contains { other.sees($0) }
    }
}
