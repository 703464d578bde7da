/// Items on their way to a store, many at a time: for an engine to which each statement is a round trip.
///
/// Items are taken one by one, and stored in blocks. It is used by one thread at a time, as its connection is.
package protocol StoreBulk: AnyObject {
    /// Where the values of the next item are written, in the order of the schema.
    var target: RowTarget { get }
    /// Returns a key that the store generates, for an item without one; `count` is how many such items come in
    /// succession, so that as many are drawn at once.
    func nextKey(of count: () -> Int) throws(RepositoryError) -> Int64
    /// Takes the values that were written as those of the next item.
    func add() throws(RepositoryError)
    /// Whether the items that were taken are enough for a block.
    var isFull: Bool { get }
    /// Stores the items that were taken since the last block.
    ///
    /// Returns those of the block that failed, in their order; of a bulk that is whole the first one, after which
    /// nothing more can be stored.
    func store() throws(RepositoryError) -> [BulkFailure]
}

package struct BulkFailure {
    /// Where the item stands in its block.
    package let index: Int
    /// What the engine reported; `nil` when nothing was stored, and no fault reported.
    package let error: RepositoryError?

    package init(index: Int, error: RepositoryError?) {
        (self.index, self.error) = (index, error)
    }
}
