/// One row of an aggregate, read term by term: stored values, wherever they were computed.
struct AggregateRow {
    let values: [SQLValue]
    /// Where each term begins in the row.
    let offsets: [AggregateTerm: Int]
    let column: AggregateColumn
    /// Whether a sum takes two columns; see `WideSum`.
    let isWide: Bool

    /// Where terms begin, of which a wide sum has two columns.
    static func offsets(of terms: [AggregateTerm], from start: Int, isWide: Bool) -> [AggregateTerm: Int] {
        var (offsets, offset): ([AggregateTerm: Int], Int) = ([:], start)
        for term in terms {
            offsets[term] = offset
            offset += isWide && term == .sum ? 2 : 1
        }
        return offsets
    }

    /// An integer that is never missing: a count.
    func integer(_ term: AggregateTerm) throws(RepositoryError) -> Int {
        try read(Int.self, at: try offset(term), scale: 0)
    }

    /// A value of the column; `nil` when there is none.
    func value<Value: ColumnValue>(
        _ term: AggregateTerm, _ type: Value.Type
    ) throws(RepositoryError) -> Value? {
        try read(Value?.self, at: try offset(term), scale: column.scale)
    }

    /// The sum, in the type determined by the column's type.
    func sum<Value: NumericValue>(_ type: Value.Type) throws(RepositoryError) -> Value.Sum {
        let nothing = column.isReal ? AggregateTotal.real(0) : .integer(0, scale: column.scale)
        do {
            return try Value.sum(try total() ?? nothing)
        } catch let error as RepositoryError {
            throw error
        } catch let fault as ColumnFault {
            throw column.overflow(fault.sentence)
        } catch {
            throw column.overflow(ColumnFault.sentence(error))
        }
    }

    /// The average, in the type determined by the column's type.
    func average<Value: NumericValue>(_ type: Value.Type) throws(RepositoryError) -> Value.Average? {
        guard let total = try total() else { return nil }
        return Value.average(total, count: try integer(.count))
    }

    /// The exact sum of integers; zero when there is none.
    func integerSum() throws(RepositoryError) -> Int128 {
        guard case .integer(let sum, _) = try total() ?? .integer(0, scale: 0) else { return 0 }
        return sum
    }

    /// What the store holds of a term; `nil` when it was not asked for.
    func stored(_ term: AggregateTerm) -> SQLValue? { offsets[term].map { values[$0] } }

    /// The exact total; `nil` when there is no value.
    private func total() throws(RepositoryError) -> AggregateTotal? {
        let offset = try offset(.sum)
        switch values[offset] {
        case .null:
            // SQLite has no NaN: infinity minus infinity becomes NULL.
            guard column.isReal, try integer(.count) > 0 else { return nil }
            if try infinities() == 0 { throw tooLarge }
            throw column.overflow("the sum of infinities of both signs is not a number")
        case .real(let total):
            if !total.isFinite, try infinities() == 0 { throw tooLarge }
            return .real(total)
        case .integer(let high) where isWide:
            let low = try read(Int64.self, at: offset + 1, scale: 0)
            return .integer(Int128(high) << 32 + Int128(low), scale: column.scale)
        case .integer(let total):
            return .integer(Int128(total), scale: column.scale)
        case .text, .blob:
            throw .decoding(entity: column.entity, column: column.name, detail: "the sum is not a number")
        }
    }

    /// How many of the numbers are infinite, if that was requested, as it is after a failure.
    private func infinities() throws(RepositoryError) -> Int {
        guard isWide else { return 0 }
        return try read(Int.self, at: try offset(.sum) + 1, scale: 0)
    }

    private var tooLarge: RepositoryError {
        column.overflow("the sum of these numbers is too large for a Double, or one of them is not a number")
    }

    /// A value as a type reads it.
    func read<Value: ColumnValue>(
        _ type: Value.Type, at offset: Int, scale: Int
    ) throws(RepositoryError) -> Value {
        do {
            return try values[offset].value(type, scale: scale)
        } catch {
            throw .decoding(entity: column.entity, column: column.name, detail: ColumnFault.sentence(error))
        }
    }

    private func offset(_ term: AggregateTerm) throws(RepositoryError) -> Int {
        guard let offset = offsets[term] else {
            throw .misuse(detail: "the aggregate function does not compute \(term)")
        }
        return offset
    }
}

/// The aggregated column, as far as it is needed to read its values.
struct AggregateColumn: Sendable {
    let entity: String
    let name: String
    let scale: Int
    let isReal: Bool
    let isInteger: Bool
    let isOptional: Bool

    func overflow(_ detail: String) -> RepositoryError {
        .overflow(entity: entity, column: name, detail: detail)
    }
}
