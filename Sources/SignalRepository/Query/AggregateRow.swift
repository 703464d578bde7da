/// One row of an aggregate statement, read term by term.
struct AggregateRow {
    let statement: Statement
    /// Where each term begins in the row.
    let places: [AggregateTerm: Int]
    let column: AggregateColumn
    /// Whether a sum comes in two halves, because it does not fit an SQLite integer.
    let isWide: Bool

    /// An integer that is never missing: a count.
    func integer(_ term: AggregateTerm) throws(RepositoryError) -> Int {
        try statement.value(Int.self, at: try place(term))
    }

    /// A value of the column; `nil` when there is none.
    func value<Value: ColumnValue>(
        _ term: AggregateTerm, _ type: Value.Type
    ) throws(RepositoryError) -> Value? {
        try statement.value(Value?.self, at: try place(term), scale: column.scale)
    }

    /// The sum in the type that the column's type asks for.
    func sum<Value: NumericValue>(_ type: Value.Type) throws(RepositoryError) -> Value.Sum {
        let nothing = column.isReal ? AggregateTotal.real(0) : .integer(0, scale: column.scale)
        do {
            return try Value.sum(try total() ?? nothing)
        } catch let error as RepositoryError {
            throw error
        } catch let fault as ColumnFault {
            throw column.overflow(fault.sentence)
        } catch {
            throw column.overflow("\(error)")
        }
    }

    /// The average in the type that the column's type asks for.
    func average<Value: NumericValue>(_ type: Value.Type) throws(RepositoryError) -> Value.Average? {
        guard let total = try total() else { return nil }
        return Value.average(total, count: try integer(.count))
    }

    /// The exact total; `nil` when there is no value.
    private func total() throws(RepositoryError) -> AggregateTotal? {
        let place = try place(.sum)
        switch try statement.value(at: place) {
        case .null:
            // SQLite has no NaN: it makes NULL of infinity less infinity.
            guard column.isReal, try integer(.count) > 0 else { return nil }
            throw column.overflow("the sum of infinities of both signs is not a number")
        case .real(let total):
            return .real(total)
        case .integer(let high) where isWide:
            let low = try statement.value(Int64.self, at: place + 1)
            return .integer(Int128(high) << 32 + Int128(low), scale: column.scale)
        case .integer(let total):
            return .integer(Int128(total), scale: column.scale)
        case .text, .blob:
            throw .decoding(entity: column.entity, column: column.name, detail: "the sum is not a number")
        }
    }

    private func place(_ term: AggregateTerm) throws(RepositoryError) -> Int {
        guard let place = places[term] else {
            throw .misuse(detail: "the aggregate function does not compute \(term)")
        }
        return place
    }
}

/// The column that is aggregated, as far as reading its values needs it.
struct AggregateColumn: Sendable {
    let entity: String
    let name: String
    let scale: Int
    let isReal: Bool

    func overflow(_ detail: String) -> RepositoryError {
        .overflow(entity: entity, column: name, detail: detail)
    }
}
