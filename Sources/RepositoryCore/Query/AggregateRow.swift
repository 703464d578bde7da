/// The values of aggregate terms, computed by the store, or by a live query from changed rows.
struct AggregateRow {
    let values: [SQLValue]
    let offsets: [AggregateTerm: Int]
    let column: AggregateColumn

    /// Returns a count, which is never NULL.
    func integer(_ term: AggregateTerm) throws(RepositoryError) -> Int {
        try read(Int.self, at: try offset(term), scale: 0)
    }

    /// Returns the minimum or maximum, which is a value of the column; `nil` if there are no values.
    func value<Value: ColumnValue>(
        _ term: AggregateTerm, _ type: Value.Type
    ) throws(RepositoryError) -> Value? {
        try read(Value?.self, at: try offset(term), scale: column.scale)
    }

    func sum<Value: NumericValue>(_ type: Value.Type) throws(RepositoryError) -> Value.Sum {
        let total = try total() ?? (column.isReal ? .real(0) : .integer(0, scale: column.scale))
        do throws(ColumnFault) {
            return try Value.sum(total)
        } catch {
            throw column.overflow(error.sentence)
        }
    }

    func average<Value: NumericValue>(_ type: Value.Type) throws(RepositoryError) -> Value.Average? {
        let count = try integer(.count)
        guard count > 0, let total = try total() else { return nil }
        return Value.average(total, count: count)
    }

    var isSumNotFinite: Bool {
        guard let sum = offsets[.sum], let count = offsets[.count] else { return false }
        return switch values[sum] {
        case .null: values[count] != .integer(0)
        case .real(let total): !total.isFinite
        case .integer, .text, .blob: false
        }
    }

    /// Returns the total, which is exact for integers; `nil` if there are no values.
    private func total() throws(RepositoryError) -> AggregateTotal? {
        switch values[try offset(.sum)] {
        case .null:
            // The store returns NULL if a sum is NaN, for example infinity minus infinity.
            guard column.isReal, try integer(.count) > 0 else { return nil }
            if try infinities() == 0 { throw tooLarge }
            throw column.overflow("the sum of infinities of both signs is not a number")
        case .real(let total):
            if !total.isFinite, try infinities() == 0 { throw tooLarge }
            return .real(total)
        case .integer, .text, .blob:
            guard let total = values[try offset(.sum)].exactSum else {
                throw .decoding(entity: column.entity, column: column.name, detail: "the sum is not a number")
            }
            return .integer(total, scale: column.scale)
        }
    }

    /// Returns the number of infinite values; 0 if the statement did not select this number.
    private func infinities() throws(RepositoryError) -> Int {
        offsets[.infinities] == nil ? 0 : try integer(.infinities)
    }

    private var tooLarge: RepositoryError {
        column.overflow("the sum of these numbers is too large for a Double, or one of them is not a number")
    }

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

/// The properties of the aggregated column that are needed to read its values.
struct AggregateColumn: Sendable {
    let entity: String
    let name: String
    let scale: Int
    let isReal: Bool

    func overflow(_ detail: String) -> RepositoryError {
        .overflow(entity: entity, column: name, detail: detail)
    }
}
