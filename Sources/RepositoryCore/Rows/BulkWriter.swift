/// A writer that stores many items at a time, for an engine in which each statement is a network round trip.
///
/// It takes items one by one, and stores them in blocks. Like its connection, it is used by one thread at a time.
package protocol BulkWriter: AnyObject {
    /// The target for the values of the next item, in the order of the schema.
    var target: RowTarget { get }
    /// Returns a generated key for an item without a key.
    ///
    /// `count` returns the number of consecutive items without a key, beginning with this item, so that the writer can
    /// generate as many keys at once.
    func nextKey(of count: () -> Int) throws(RepositoryError) -> Int64
    /// Adds an item with the values that were written to `target`.
    func add() throws(RepositoryError)
    /// Whether the added items fill a block.
    var isFull: Bool { get }
    /// Stores the items that were added since the last block, and returns the items that failed, in order.
    ///
    /// A writer that stores either all items or none returns only the first failure, and can store nothing afterwards.
    func store() throws(RepositoryError) -> [BulkFailure]
}

package struct BulkFailure {
    /// The index of the item in its block.
    package let index: Int
    /// The error that the engine reported, or `nil` if the item was not stored and the engine reported none.
    package let error: RepositoryError?

    package init(index: Int, error: RepositoryError?) {
        (self.index, self.error) = (index, error)
    }
}
