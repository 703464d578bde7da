/// Brings the result of a query up to date by the rows that a commit changed, without reading the store, or reading
/// only what belongs to them.
///
/// It is used on the live queue alone. What it says is what a fresh query would say of the same state; where it cannot
/// be sure it says so, and is filled again.
@usableFromInline
protocol Maintainer<Output>: AnyObject {
    associatedtype Output

    /// Whether `output()` returns nothing but what differs from what it returned last.
    var comparesOutput: Bool { get }
    var use: LiveUse { get }

    /// Reads the result and the state that keeps it up to date; `nil` when the query itself must be read.
    func fill(in transaction: ReadTransaction) throws -> Output?

    /// Reads what was used up, and returns the result; `nil` as above.
    func refill(in transaction: ReadTransaction) throws -> Output?

    /// Takes changes in, of a table whose rows say everything about it.
    func apply(_ changes: TableChanges) -> Patch

    /// Reads what belongs to the rows that changed, in the state of the store that they have led to.
    func readKeys(in transaction: ReadTransaction) throws -> Patch

    /// The result as it is after the changes; throws what a fresh query would.
    ///
    /// `nil` when it is known to be what it was when it was last returned.
    func output() throws -> Output?
}

extension Maintainer {
    var comparesOutput: Bool { false }

    func refill(in transaction: ReadTransaction) throws -> Output? { try fill(in: transaction) }

    func readKeys(in transaction: ReadTransaction) throws -> Patch { .lost }
}

/// What changes of rows come to, the more there is to do, the greater.
@usableFromInline
enum Patch: Comparable, Sendable {
    /// The result is what it was.
    case unaffected
    /// It may have changed, and is known.
    case patched
    /// What belongs to the rows that changed has to be read.
    case keyed
    /// What is held of it is used up; it has to be refilled, and can take more changes until then.
    case usedUp
    /// It has to be read.
    case lost
}

/// The rows that a live query can use.
@usableFromInline
struct LiveUse {
    /// The tables that it reads, and which of their rows may make a difference.
    let filters: [String: RowFilter]

    init(_ filters: [String: RowFilter]) { self.filters = filters }

    init(table: String, filter: RowFilter) { filters = [table: filter] }
}

/// What equal queries have in common, so that they are followed once: what is read, and what is made of it.
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

/// What is made of a table's layout, and made again when the table has another.
struct PerLayout<Made> {
    private var last: (layout: TableLayout, made: Made?)?

    mutating func made(of layout: TableLayout, _ make: (TableLayout) -> Made?) -> Made? {
        if let last, last.layout === layout { return last.made }
        let made = make(layout)
        last = (layout, made)
        return made
    }
}
