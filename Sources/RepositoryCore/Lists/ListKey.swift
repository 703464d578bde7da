/// The position of a row in a list: its values of the sort keys, and of the columns that break ties.
struct ListKey: Sendable, Hashable {
    let first: SQLValue
    /// The values after the first one, except the last.
    let others: [SQLValue]?
    /// The last value of the primary key or, in a list in row order, the rowid.
    let last: SQLValue

    /// Creates a key; without `values`, only `last` counts, and `first` is NULL in every row.
    init(_ values: [SQLValue], _ last: SQLValue) {
        first = values.first ?? .null
        others = values.count > 1 ? Array(values.dropFirst()) : nil
        self.last = last
    }
}

/// The order of a list, which compares values as SQLite does.
struct ListOrder: Sendable {
    /// For each sort key, whether its greatest value comes first.
    let isDescending: [Bool]

    /// Negative if the left key comes first, positive if the right one does, and 0 if they are equal.
    func order(_ left: ListKey, _ right: ListKey) -> Int {
        let order = left.first.order(right.first)
        if order != 0 { return isDescending[0] ? -order : order }
        if let one = left.others, let other = right.others {
            for index in one.indices {
                let order = one[index].order(other[index])
                if order != 0 { return isDescending[index + 1] ? -order : order }
            }
        }
        return left.last.order(right.last)
    }
}
