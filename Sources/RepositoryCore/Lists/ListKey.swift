/// The position of a row in a list: the row's sort values, and its values of the columns that break ties.
struct ListKey: Sendable, Hashable {
    let first: SQLValue
    /// The values between the first and the last, or `nil`.
    let others: [SQLValue]?
    /// The row's last primary key value or, in a list in rowid order, its rowid.
    let last: SQLValue

    /// Creates a key; if `values` is empty, `first` is NULL, so that only `last` determines the order.
    init(_ values: [SQLValue], _ last: SQLValue) {
        first = values.first ?? .null
        others = values.count > 1 ? Array(values.dropFirst()) : nil
        self.last = last
    }
}

/// The order of a list, which compares values as SQLite does.
struct ListOrder: Sendable {
    /// Whether each sort key is descending.
    let isDescending: [Bool]
    /// Whether the last values of list keys are in descending order.
    var isReversed = false

    /// Returns a negative number if the left key comes first, a positive one if the right key does, and 0 if both are
    /// equal.
    func order(_ left: ListKey, _ right: ListKey) -> Int {
        let order = left.first.order(right.first)
        if order != 0 { return isDescending[0] ? -order : order }
        if let one = left.others, let other = right.others {
            for index in one.indices {
                let order = one[index].order(other[index])
                if order != 0 { return isDescending[index + 1] ? -order : order }
            }
        }
        let last = left.last.order(right.last)
        return isReversed ? -last : last
    }
}
