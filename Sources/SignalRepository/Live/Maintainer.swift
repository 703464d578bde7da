/// Brings the result of a query up to date by the rows that a commit changed, without reading the store.
///
/// It is used on the live queue alone. What it says is what a fresh query would say of the same state; where it cannot
/// be sure it says so, and is filled anew.
@usableFromInline
protocol Maintainer<Output>: AnyObject {
    associatedtype Output

    /// The only table whose rows make the result.
    var table: String { get }
    /// The primary key of the only row that makes the result, if there is one such.
    var key: SQLValue? { get }

    /// Reads the result, and what is needed to bring it up to date.
    func fill(in transaction: ReadTransaction) throws -> Output

    /// Takes changes in.
    func apply(_ changes: TableChanges) -> Patch

    /// The result as it is after the changes; throws what a fresh query would.
    func output() throws -> Output
}

/// What changes of rows come to.
@usableFromInline
enum Patch {
    /// The result is what it was.
    case unaffected
    /// It may have changed, and is known.
    case patched
    /// It has to be read.
    case lost
}
