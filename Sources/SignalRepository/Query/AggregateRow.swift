/// One row of an aggregate, read term by term: stored values, wherever they were computed.
struct AggregateRow {
    let values: [SQLValue]
    /// Where each term stands in the row.
    let offsets: [AggregateTerm: Int]
    let column: AggregateColumn

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
        let count = try integer(.count)
        guard count > 0, let total = try total() else { return nil }
        return Value.average(total, count: count)
    }

    /// Whether there is no number in the place of a sum, though there are values, or an infinite one.
    func isBeyondDouble(at offset: Int) -> Bool {
        switch values[offset] {
        case .null: offsets[.count].map { values[$0] != .integer(0) } ?? true
        case .real(let total): !total.isFinite
        case .integer, .text, .blob: false
        }
    }

    /// The exact total; `nil` when there is no value.
    private func total() throws(RepositoryError) -> AggregateTotal? {
        switch values[try offset(.sum)] {
        case .null:
            // SQLite has no NaN: infinity minus infinity becomes NULL.
            guard column.isReal, try integer(.count) > 0 else { return nil }
            if try infinities() == 0 { throw tooLarge }
            throw column.overflow("the sum of infinities of both signs is not a number")
        case .real(let total):
            if !total.isFinite, try infinities() == 0 { throw tooLarge }
            return .real(total)
        case .integer(let total): return .integer(Int128(total), scale: column.scale)
        // A sum that is too large for 64 bits.
        case .text(let digits):
            guard let total = Int128(digits) else { throw notNumber }
            return .integer(total, scale: column.scale)
        case .blob: throw notNumber
        }
    }

    /// How many of the numbers are infinite, where that was asked for.
    private func infinities() throws(RepositoryError) -> Int {
        offsets[.infinities] == nil ? 0 : try integer(.infinities)
    }

    private var tooLarge: RepositoryError {
        column.overflow("the sum of these numbers is too large for a Double, or one of them is not a number")
    }

    private var notNumber: RepositoryError {
        .decoding(entity: column.entity, column: column.name, detail: "the sum is not a number")
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

    func overflow(_ detail: String) -> RepositoryError {
        .overflow(entity: entity, column: name, detail: detail)
    }
}
