/// Stores many items at a time, for an engine in which each statement is a round trip.
///
/// It takes items one by one, and stores them in blocks. Like its connection, it is used by one thread at a time.
package protocol BulkWriter: AnyObject {
    /// The target for the values of the next item, in the order of the schema.
    var target: RowTarget { get }
    /// Returns a generated key for an item without one.
    ///
    /// `count` returns the number of such items in succession, including this one, so that as many keys are drawn.
    func nextKey(of count: () -> Int) throws(RepositoryError) -> Int64
    /// Adds an item with the values that were written to `target`.
    func add() throws(RepositoryError)
    /// Whether the added items are enough for a block.
    var isFull: Bool { get }
    /// Stores the items that were added since the last block.
    ///
    /// Returns the items of the block that failed, in order. A bulk that is stored as a whole returns only the first,
    /// and nothing more can be stored afterwards.
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
