/// The position of a row in a list: its values of the sort keys, and what distinguishes rows that are equal in these.
struct ListKey: Sendable, Hashable {
    let first: SQLValue
    /// The values of the second sort key and those after it.
    let others: [SQLValue]?
    /// The primary key, or the rowid of a list that is in the order of the table.
    let last: SQLValue

    /// A list without sort keys has `last` alone; its `first` is NULL in every row.
    init(_ values: [SQLValue], _ last: SQLValue) {
        first = values.first ?? .null
        others = values.count > 1 ? Array(values.dropFirst()) : nil
        self.last = last
    }
}

/// The order of a list, as SQLite has it.
struct ListOrder: Sendable {
    /// Of each sort key, whether its greatest value comes first.
    let isDescending: [Bool]

    /// Less than 0 when the left one comes first, more when the right one does.
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
