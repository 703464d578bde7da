import Foundation

/// An object that updates a query's result from the rows that a commit changed, instead of running the query again.
///
/// Only the live queue uses it. Its output equals the result of a fresh query on the same state of the store. If the
/// changes do not determine that result, the maintainer returns `.needsReread`, and the engine calls `fill(in:)`.
protocol Maintainer<Output>: AnyObject {
    associatedtype Output

    /// Whether `output()` returns a result only if it differs from the last one.
    var comparesOutput: Bool { get }

    /// Reads the result and the state that later updates need; returns `nil` if the caller must run the query.
    func fill(in transaction: ReadTransaction) throws -> Output?

    /// Reads a new reserve, such as rows beyond a limit, or fills again; returns the result or `nil`, as `fill(in:)`.
    func refill(in transaction: ReadTransaction) throws -> Output?

    /// Applies the changes of a table; the caller has checked `TableLayout.isFollowed`.
    func apply(_ changes: TableChanges) -> UpdateEffect

    /// Re-reads the items that belong to the changed rows, in a snapshot that includes the changes.
    ///
    /// Reads nothing if no changed row has been applied since the last call.
    func readKeys(in transaction: ReadTransaction) throws -> UpdateEffect

    /// The time at which the result may change without a commit, `.distantFuture` if it never does.
    ///
    /// `nil` if the maintainer does not follow the time.
    var due: Date? { get }

    /// Moves the result to a later time if no row enters or leaves it until then; otherwise returns `.rereadByKey`.
    func advance(to time: Date) -> UpdateEffect

    /// Returns the result after the changes, or `nil` if it is known to equal the last one.
    ///
    /// Throws if the query must be re-read.
    func output() throws -> Output?
}

extension Maintainer {
    var comparesOutput: Bool { false }

    func refill(in transaction: ReadTransaction) throws -> Output? { try fill(in: transaction) }

    func readKeys(in transaction: ReadTransaction) throws -> UpdateEffect { .unaffected }

    var due: Date? { nil }

    func advance(to time: Date) -> UpdateEffect { .unaffected }
}

/// The effect of row changes on a query's result; an effect that takes more work is greater.
enum UpdateEffect: Comparable, Sendable {
    /// The result is unchanged.
    case unaffected
    /// The result may have changed, and is already updated.
    case updatedInPlace
    /// The items that belong to the changed rows must be re-read.
    case rereadByKey
    /// The reserve, such as rows beyond a limit, is used up and must be read; until then, changes can be applied.
    case needsRefill
    /// The whole result must be re-read.
    case needsReread
}

/// The types, statement and bound values that identify equal live queries, so that the engine follows them once.
struct LiveIdentity: Hashable, Sendable {
    private let item: ObjectIdentifier
    private let output: ObjectIdentifier
    private let text: ExactText
    private let values: [SQLValue]

    init<Item, Output>(_ item: Item.Type, _ output: Output.Type, _ text: String, _ values: [SQLValue]) {
        (self.item, self.output) = (ObjectIdentifier(item), ObjectIdentifier(output))
        (self.text, self.values) = (ExactText(text), values)
    }
}

/// A cached value that is made from a table's layout, and made again when the layout changes.
struct PerLayout<Made> {
    private var last: (layout: TableLayout, made: Made?)?

    mutating func made(of layout: TableLayout, _ make: (TableLayout) -> Made?) -> Made? {
        if let last, last.layout === layout { return last.made }
        let made = make(layout)
        last = (layout, made)
        return made
    }
}
