public import Signals

extension Repository {
    /// Stores many new items, given as values by column name, as one batch, all or none.
    ///
    /// ```swift
    /// let count = try await repository.insert(
    ///     Movie.self,
    ///     rows: [
    ///         ["id": UUID(), "title": "Fargo", "boxOffice": Decimal(60_611_975), "studio": "Gramercy"],
    ///         ["id": UUID(), "title": "Alien", "boxOffice": Decimal(106_285_522)],
    ///     ]
    /// ).value()
    /// print(count)  // 2
    /// ```
    /// A value has the type of its property, or is an `SQLValue` (for example from `rows(_:_:)`). An `SQLValue` is
    /// decoded like a stored value; `SQLValue.null` stands for `nil`. A column that a row omits gets its default or,
    /// without a default, `nil`. Each row is first made into an item, so the result is the same as with `insert(_:)`.
    /// Making an item takes about twice as long as writing the item.
    ///
    /// For each sink that attaches, the writer's queue iterates the sequence once, and writes each row as it comes. So
    /// a lazy sequence never holds all rows in memory.
    /// - Delivery: the number of items stored, once they are committed; then the signal finishes.
    /// - Failure: `.encoding` for a name without a column, for an omitted column that has no default and is not
    ///   optional, and for a value that its property cannot hold; `.constraint`. The error's `item` gives the index of
    ///   the row. Nothing is stored.
    /// - Complexity: O(*n*) in the number of rows, in constant memory.
    public func insert<Item: Entity, Rows: Sequence & Sendable>(
        _ type: Item.Type, rows: Rows
    ) -> Signal<Int, RepositoryError> where Rows.Element == [String: any Sendable] {
        signal(
            for: .write(RepositoryCall("insert", type, rows: rows)) { store in
                try store.insert(type, rows: rows)
            })
    }

    /// Stores many new items, given as values by column name, as `insert(_:rows:)` does, and delivers the items' ids.
    ///
    /// - Delivery: the ids in the order of the rows, once they are committed; then the signal finishes.
    /// - Failure: as `insert(_:rows:)`.
    /// - Complexity: O(*n*) in the number of rows; the ids are held in memory, the rows are not.
    public func insertReturningIDs<Item: Entity, Rows: Sequence & Sendable>(
        _ type: Item.Type, rows: Rows
    ) -> Signal<[Item.ID], RepositoryError> where Rows.Element == [String: any Sendable] {
        signal(
            for: .write(RepositoryCall("insertReturningIDs", type, rows: rows)) { store in
                try store.insertReturningIDs(type, rows: rows)
            })
    }
}

extension WriteTransaction {
    /// Stores many new items, given as values by column name, all or none, and returns their number; see
    /// `Repository.insert(_:rows:)`.
    ///
    /// - Failure: as `Repository.insert(_:rows:)`. Nothing is stored; earlier writes of the transaction remain.
    /// - Complexity: O(*n*) in the number of rows, in constant memory.
    @discardableResult
    public func insert<Item: Entity, Rows: Sequence>(
        _ type: Item.Type, rows: Rows
    ) throws(RepositoryError) -> Int where Rows.Element == [String: any Sendable] {
        try insert(type, rows) { store, items throws(RepositoryError) in try store.insert(items) }
    }

    /// Stores many new items, given as values by column name, all or none, and returns the items' ids in the order of
    /// the rows; see `Repository.insert(_:rows:)`.
    ///
    /// - Failure: as `insert(_:rows:)`.
    /// - Complexity: O(*n*) in the number of rows; the ids are held in memory, the rows are not.
    @discardableResult
    public func insertReturningIDs<Item: Entity, Rows: Sequence>(
        _ type: Item.Type, rows: Rows
    ) throws(RepositoryError) -> [Item.ID] where Rows.Element == [String: any Sendable] {
        try insert(type, rows) { store, items throws(RepositoryError) in try store.insertReturningIDs(items) }
    }

    private func insert<Item: Entity, Rows: Sequence, Output>(
        _ type: Item.Type, _ rows: Rows,
        _ body: (WriteTransaction, RowItems<Item, Rows>) throws(RepositoryError) -> Output
    ) throws(RepositoryError) -> Output {
        try transaction { store in
            let items = RowItems(rows, try RowMaker(type, now: store.preservesTimes ? store.time : .distantPast))
            let output = try body(store, items)
            if let failure = items.failure { throw failure }
            return output
        }
    }
}

/// A sequence of items that are made from rows, one by one, up to the first invalid row.
private final class RowItems<Item: Entity, Rows: Sequence>: Sequence, IteratorProtocol
where Rows.Element == [String: any Sendable] {
    private var rows: Rows.Iterator
    private let maker: RowMaker<Item>
    private var index = 0
    /// The error of the invalid row that ended the sequence; `nil` if no row was invalid.
    private(set) var failure: RepositoryError?

    init(_ rows: Rows, _ maker: RowMaker<Item>) {
        self.rows = rows.makeIterator()
        self.maker = maker
    }

    func next() -> Item? {
        guard failure == nil, let row = rows.next() else { return nil }
        defer { index += 1 }
        do {
            return try maker.item(row, at: index)
        } catch {
            failure = error
            return nil
        }
    }
}
