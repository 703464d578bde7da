/// Updates the result of a query from the rows that a commit changed, reading at most the items that belong to them.
///
/// It is used only on the live queue. Its output equals that of a fresh query on the same state. If it cannot be sure
/// of that, it returns `.needsReread` and is filled again.
@usableFromInline
protocol Maintainer<Output>: AnyObject {
    associatedtype Output

    /// Whether `output()` returns a result only if it differs from the last one.
    var comparesOutput: Bool { get }
    var use: LiveUse { get }

    /// Reads the result and the state that keeps it up to date; `nil` if the query itself must be read.
    func fill(in transaction: ReadTransaction) throws -> Output?

    /// Reads what was used up, and returns the result; `nil` as in `fill(in:)`.
    func refill(in transaction: ReadTransaction) throws -> Output?

    /// Applies the changes of a table whose layout is exact; see `TableLayout.isExact`.
    func apply(_ changes: TableChanges) -> UpdateEffect

    /// Re-reads what belongs to the changed rows, in a snapshot that includes the changes.
    func readKeys(in transaction: ReadTransaction) throws -> UpdateEffect

    /// Returns the result after the changes, or `nil` if it is known to equal the last one.
    ///
    /// Throws if the query must be re-read.
    func output() throws -> Output?
}

extension Maintainer {
    var comparesOutput: Bool { false }

    func refill(in transaction: ReadTransaction) throws -> Output? { try fill(in: transaction) }

    func readKeys(in transaction: ReadTransaction) throws -> UpdateEffect { .needsReread }
}

/// The effect of row changes on a result; the more work it takes, the greater.
@usableFromInline
enum UpdateEffect: Comparable, Sendable {
    /// The result is unchanged.
    case unaffected
    /// The result may have changed, and is known without a read.
    case updatedInPlace
    /// The result must be re-read by key.
    case rereadByKey
    /// The result needs a refill; until then, more changes can be applied.
    case needsRefill
    /// The result must be re-read.
    case needsReread
}

/// The rows that a live query can use.
@usableFromInline
struct LiveUse {
    /// The tables that the query reads, each with a filter for the rows that may affect it.
    let filters: [String: RowFilter]

    init(_ filters: [String: RowFilter]) { self.filters = filters }

    init(table: String, filter: RowFilter) { filters = [table: filter] }
}

/// The types, statement and values that equal queries share, so that they are followed once.
@usableFromInline
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

/// A value made from a table's layout, which is made again if the layout changes.
struct PerLayout<Made> {
    private var last: (layout: TableLayout, made: Made?)?

    mutating func made(of layout: TableLayout, _ make: (TableLayout) -> Made?) -> Made? {
        if let last, last.layout === layout { return last.made }
        let made = make(layout)
        last = (layout, made)
        return made
    }
}
