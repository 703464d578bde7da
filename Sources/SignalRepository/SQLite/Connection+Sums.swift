import CSQLite

/// Sums of whole numbers, exact in any order.
///
/// SQLite's own fails if a part of it is too large for 64 bits, or goes on in floating point.
enum WholeSum {
    /// Our function that returns the sum, or fails where it is too large for 64 bits.
    static let function: StaticString = "signal_repository_sum"
    /// Our function that returns the sum, as a text where it is too large for 64 bits.
    static let exact: StaticString = "signal_repository_exact_sum"
    /// Our function that returns the sum as a floating-point number, divided by how many numbers there are.
    static let average: StaticString = "signal_repository_average"
}

/// A sum so far, in the memory that SQLite keeps for a group: of two words, because that memory is aligned to one.
private struct PartialSum {
    private var low: UInt64
    private var high: Int64
    private(set) var count: Int

    var sum: Int128 { Int128(high) << 64 + Int128(low) }

    mutating func add(_ number: Int64) {
        let (sum, carries) = low.addingReportingOverflow(UInt64(bitPattern: number))
        low = sum
        high += (number < 0 ? -1 : 0) + (carries ? 1 : 0)
        count += 1
    }

    /// That of a group; `nil` without memory, or for `size` 0 where no number has been added.
    static func of(_ context: OpaquePointer?, size: Int) -> UnsafeMutablePointer<PartialSum>? {
        // Safe because SQLite gives zeroed memory of that size, the sum of nothing, and frees it without being told.
        sqlite3_aggregate_context(context, Int32(size))?.assumingMemoryBound(to: PartialSum.self)
    }

    /// Ends a sum with what SQLite returns.
    static func end(_ context: OpaquePointer?, _ answer: (PartialSum) -> SQLValue?) {
        guard let sum = of(context, size: 0)?.pointee, sum.count > 0 else { return sqlite3_result_null(context) }
        guard let value = answer(sum) else { return sqlite3_result_error(context, IntegerCheck.overflow, -1) }
        Connection.answer(value, context)
    }
}

private func addNumber(
    _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
) {
    switch sqlite3_value_type(values?[0]) {
    case SQLITE_NULL: return
    case SQLITE_INTEGER:
        guard let sum = PartialSum.of(context, size: MemoryLayout<PartialSum>.size) else {
            return sqlite3_result_error_nomem(context)
        }
        sum.pointee.add(sqlite3_value_int64(values?[0]))
    default: sqlite3_result_error(context, IntegerCheck.notWhole, -1)
    }
}

extension Connection {
    /// Installs the functions that add up whole numbers.
    func installSums() throws(RepositoryError) {
        try installSum(WholeSum.function) { context in
            PartialSum.end(context) { Int64(exactly: $0.sum).map { .integer($0) } }
        }
        try installSum(WholeSum.exact) { context in
            PartialSum.end(context) { sum in
                Int64(exactly: sum.sum).map { .integer($0) } ?? .text("\(sum.sum)")
            }
        }
        try installSum(WholeSum.average) { context in
            PartialSum.end(context) { .real(Double($0.sum) / Double($0.count)) }
        }
    }

    private func installSum(
        _ name: StaticString, _ end: @convention(c) (OpaquePointer?) -> Void
    ) throws(RepositoryError) {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
        let code = sqlite3_create_function_v2(handle, name.description, 1, flags, nil, nil, addNumber, end, nil)
        guard code == SQLITE_OK else { throw notAccepted("application-defined functions") }
    }
}
