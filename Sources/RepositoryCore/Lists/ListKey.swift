/// The position of a row in a list: the row's sort values, and its values of the columns that break ties.
struct ListKey: Sendable, Hashable {
    let first: SQLValue
    /// The values between the first and the last; `nil` if there are no such values.
    let others: [SQLValue]?
    /// The row's last primary key value or, in a list in rowid order, its rowid.
    let last: SQLValue

    /// Creates a key; if `values` is empty, `first` is NULL, so that only `last` determines the order.
    init(_ values: [SQLValue], _ last: SQLValue) {
        first = values.first ?? .null
        others = values.count > 1 ? Array(values.dropFirst()) : nil
        self.last = last
    }

    /// Reads a key from columns of a statement's row.
    init(_ row: any StoreStatement, at columns: some BidirectionalCollection<Int>) throws(RepositoryError) {
        var values: [SQLValue] = []
        for column in columns { values.append(try row.value(at: column)) }
        let last = values.popLast() ?? .null
        self.init(values, last)
    }
}

/// The order of a list, which compares values as SQLite does.
struct ListOrder: Sendable {
    /// Returns a negative number if the left text comes first, a positive one if the right text does, and 0 otherwise.
    typealias Comparison = @Sendable (_ left: String, _ right: String) -> Int

    /// Whether each sort key is descending.
    let isDescending: [Bool]
    /// Whether the values after the sort keys are in descending order.
    var isReversed = false
    /// For each sort key: the collation (an `Operation`) of its texts, or `nil` if they are compared by their bytes.
    let operations: [Operation?]
    /// The functions that compare texts by `operations`; empty if all texts are compared by their bytes.
    private var comparisons: [Comparison?] = []

    init(isDescending: [Bool], isReversed: Bool = false, operations: [Operation?] = []) {
        (self.isDescending, self.isReversed, self.operations) = (isDescending, isReversed, operations)
    }

    /// Returns the order with the text comparisons of a connection; `nil` if the connection lacks one of them.
    func prepared(by connection: any StoreConnection) -> ListOrder? {
        var order = self
        if operations.allSatisfy({ $0 == nil }) { return order }
        let comparisons = operations.mapAll { operation -> Comparison?? in
            guard let operation else { return .some(nil) }
            return connection.comparison(of: operation).map { .some($0) }
        }
        guard let comparisons else { return nil }
        order.comparisons = comparisons
        return order
    }

    /// Returns a negative number if the left key comes first, a positive one if the right key does, and 0 if both are
    /// equal.
    func order(_ left: ListKey, _ right: ListKey) -> Int {
        let order = order(left.first, right.first, at: 0)
        if order != 0 { return isDescending(at: 0) ? -order : order }
        if let one = left.others, let other = right.others {
            for index in one.indices {
                let order = self.order(one[index], other[index], at: index + 1)
                if order != 0 { return isDescending(at: index + 1) ? -order : order }
            }
        }
        let last = left.last.order(right.last)
        return isReversed ? -last : last
    }

    @inline(__always)
    private func isDescending(at index: Int) -> Bool {
        index < isDescending.count ? isDescending[index] : isReversed
    }

    @inline(__always)
    private func order(_ left: SQLValue, _ right: SQLValue, at index: Int) -> Int {
        guard index < comparisons.count, let comparison = comparisons[index], let text = left.collated,
            let other = right.collated
        else { return left.order(right) }
        return comparison(text, other)
    }
}

extension SQLValue {
    /// The text as SQLite passes it to a collation.
    ///
    /// A stored text that is not valid Unicode is read as a blob, so a blob that is not valid Unicode counts as a text.
    fileprivate var collated: String? {
        switch self {
        case .text(let text): text
        case .blob(let bytes):
            String(validating: bytes, as: UTF8.self) == nil ? String(decoding: bytes, as: UTF8.self) : nil
        case .null, .integer, .real: nil
        }
    }
}

extension StoredTerm {
    /// A sort key without its outermost collation, and the collation that orders its texts.
    ///
    /// A collation inside the key, such as in an argument, also orders the key's texts; the first one is used, as in
    /// SQLite.
    var sortKey: (term: StoredTerm, operation: Operation?) {
        if case .operation(let operation, let arguments) = self, operation.isOrder { return (arguments[0], operation) }
        return (self, StoredPart.term(self).firstOrder)
    }
}

extension StoredPart {
    /// The first operation that orders texts; `nil` if there is none.
    var firstOrder: Operation? {
        switch self {
        case .term(.operation(let operation, _)) where operation.isOrder: return operation
        // The result of a subquery is compared by its bytes.
        case .term(.children): return nil
        default:
            for part in parts { if let order = part.firstOrder { return order } }
            return nil
        }
    }
}
