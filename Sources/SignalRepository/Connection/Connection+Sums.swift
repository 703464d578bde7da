import CSQLite

/// SQL functions that add up integers exactly, in any order.
///
/// SQLite's own functions fail, or continue in floating point, if a partial sum overflows 64 bits.
enum IntegerSum {
    /// The function that returns the sum, or fails if it overflows 64 bits.
    static let function: StaticString = "signal_repository_sum"
    /// The function that returns the sum, or the sum as text if it overflows 64 bits.
    static let exact: StaticString = "signal_repository_exact_sum"
    /// The function that returns the sum divided by the number of summands, as a floating-point number.
    static let average: StaticString = "signal_repository_average"
}

/// SQL functions that add up floating-point numbers exactly, in any order.
enum RealSum {
    /// The function that returns the rounded sum; zero without summands.
    static let function: StaticString = "signal_repository_total"
    /// The function that returns the state of the sum, as bytes; see `ExactSum`.
    static let state: StaticString = "signal_repository_total_state"
    /// The function that returns the rounded sum divided by the number of summands.
    static let average: StaticString = "signal_repository_mean"

    /// The number of summands, and then the words of an `ExactSum`.
    private static let size = Int32((1 + ExactSum.wordCount) * MemoryLayout<Int64>.size)

    /// Returns the group's count and words; `nil` if memory ran out, or if `isNew` is false and there are no summands.
    static func words(_ context: OpaquePointer?, isNew: Bool) -> UnsafeMutablePointer<Int64>? {
        // Safe because SQLite fills the memory with zeros, which represent an empty sum, and frees the memory.
        sqlite3_aggregate_context(context, isNew ? size : 0)?.assumingMemoryBound(to: Int64.self)
    }

    /// Passes a number to SQLite as the result; NaN becomes NULL.
    static func end(_ context: OpaquePointer?, _ number: Double) {
        if number.isNaN { sqlite3_result_null(context) } else { sqlite3_result_double(context, number) }
    }
}

private func addReal(
    _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
) {
    if sqlite3_value_type(values?[0]) == SQLITE_NULL { return }
    guard let words = RealSum.words(context, isNew: true) else { return sqlite3_result_error_nomem(context) }
    words[0] += 1
    ExactSum.add(sqlite3_value_double(values?[0]), 1, to: words + 1)
}

/// The sum of a group so far; in two halves, because SQLite aligns its memory to 8 bytes, and an `Int128` needs 16.
private struct PartialSum {
    private var low: UInt64
    private var high: Int64
    private(set) var count: Int

    var sum: Int128 { Int128(high) << 64 + Int128(low) }

    mutating func add(_ number: Int64) {
        let sum = sum + Int128(number)
        (low, high) = (UInt64(truncatingIfNeeded: sum), Int64(truncatingIfNeeded: sum >> 64))
        count += 1
    }

    /// Returns the group's sum; `nil` if memory ran out, or if `size` is 0 and the group has no numbers.
    static func of(_ context: OpaquePointer?, size: Int) -> UnsafeMutablePointer<PartialSum>? {
        // Safe because SQLite fills the memory with zeros, which represent an empty sum, and frees the memory.
        sqlite3_aggregate_context(context, Int32(size))?.assumingMemoryBound(to: PartialSum.self)
    }

    /// Passes a group's result to SQLite.
    ///
    /// If `answer` returns `nil`, the result is an overflow.
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
    default: sqlite3_result_error(context, IntegerCheck.notInteger, -1)
    }
}

extension Connection {
    func installSums() throws(RepositoryError) {
        try installSum(IntegerSum.function) { context in
            PartialSum.end(context) { Int64(exactly: $0.sum).map { .integer($0) } }
        }
        try installSum(IntegerSum.exact) { context in
            PartialSum.end(context) { SQLValue(exactSum: $0.sum) }
        }
        try installSum(IntegerSum.average) { context in
            PartialSum.end(context) { .real(Double($0.sum) / Double($0.count)) }
        }
        try installSum(RealSum.function, addReal) { context in
            RealSum.end(context, RealSum.words(context, isNew: false).map { ExactSum.rounded($0 + 1) } ?? 0)
        }
        try installSum(RealSum.average, addReal) { context in
            let words = RealSum.words(context, isNew: false)
            RealSum.end(context, words.map { ExactSum.rounded($0 + 1) / Double($0[0]) } ?? .nan)
        }
        try installSum(RealSum.state, addReal) { context in
            guard let words = RealSum.words(context, isNew: true) else { return sqlite3_result_error_nomem(context) }
            let bytes = UnsafeRawBufferPointer(start: words + 1, count: ExactSum.wordCount * MemoryLayout<Int64>.size)
            csqlite_result_blob(context, bytes.baseAddress, UInt64(bytes.count))
        }
    }

    private func installSum(
        _ name: StaticString,
        _ step: @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void = addNumber,
        _ end: @convention(c) (OpaquePointer?) -> Void
    ) throws(RepositoryError) {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
        let code = sqlite3_create_function_v2(handle, name.description, 1, flags, nil, nil, step, end, nil)
        guard code == SQLITE_OK else { throw notAccepted("application-defined functions") }
    }
}
