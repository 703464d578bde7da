/// The transactions that a snapshot sees, as `pg_current_snapshot()` returns them.
///
/// A position in the write-ahead log cannot replace a snapshot: of two commits in the log, the later one may become
/// visible first.
struct ServerSnapshot: Sendable {
    /// All transactions numbered below `start` had ended; no transaction numbered `end` or above had ended.
    let start: UInt64
    let end: UInt64
    /// The transactions between `start` and `end` that had not ended.
    let running: Set<UInt64>

    /// Parses a snapshot; returns `nil` if the text is not a snapshot.
    init?(_ text: String) {
        // Parses in one pass to save time: the stream parses a snapshot each time it adds commits to the commit log.
        var numbers: [UInt64] = []
        var (number, colons): (UInt64?, Int) = (nil, 0)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                let (tens, isTooLarge) = (number ?? 0).multipliedReportingOverflow(by: 10)
                let (sum, isLarger) = tens.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
                guard !isTooLarge, !isLarger else { return nil }
                number = sum
            case UInt8(ascii: colons < 2 ? ":" : ","):
                guard let complete = number.take() else { return nil }
                numbers.append(complete)
                colons += byte == UInt8(ascii: ":") ? 1 : 0
            default: return nil
            }
        }
        // If no transaction is running, nothing follows the second colon.
        guard colons == 2, number != nil || numbers.count == 2, numbers[0] <= numbers[1] else { return nil }
        (start, end) = (numbers[0], numbers[1])
        running = Set(numbers.dropFirst(2) + [number].compactMap { $0 })
    }

    /// Whether the snapshot sees a committed transaction, given the low 32 bits of the transaction's number.
    func sees(_ transaction: UInt32) -> Bool {
        // The full number is the one with these low bits that is nearest to `end`.
        let distance = Int32(bitPattern: transaction &- UInt32(truncatingIfNeeded: end))
        return sees(end &+ UInt64(bitPattern: Int64(distance)))
    }

    private func sees(_ transaction: UInt64) -> Bool {
        transaction < start || transaction < end && !running.contains(transaction)
    }

    /// Whether this snapshot sees every transaction that another snapshot sees.
    func contains(_ other: ServerSnapshot) -> Bool {
        end >= other.end && !running.contains { other.sees($0) }
    }
}
