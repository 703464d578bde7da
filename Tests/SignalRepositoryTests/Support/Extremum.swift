import SignalRepository
import Signals

/// `min` and `max` in every form, so that one test covers both.
enum Extremum: CaseIterable, Sendable {
    case least, greatest

    func callAsFunction<Item: Entity, Value: OrderedValue>(
        _ repository: any Repository, _ column: KeyPath<Item, Value> & Sendable,
        where condition: Condition<Item>? = nil
    ) -> Signal<Value.Plain?, RepositoryError> {
        self == .least
            ? repository.min(of: column) { _ in condition ?? .true }
            : repository.max(of: column) { _ in condition ?? .true }
    }

    func live<Item: Entity, Value: OrderedValue>(
        _ repository: any Repository, _ column: KeyPath<Item, Value> & Sendable,
        where condition: Condition<Item>? = nil
    ) -> Signal<Value.Plain?, RepositoryError> {
        self == .least
            ? repository.minSubscription(of: column) { _ in condition ?? .true }
            : repository.maxSubscription(of: column) { _ in condition ?? .true }
    }

    func inside<Item: Entity, Value: OrderedValue>(
        _ store: ReadTransaction, _ column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil
    ) throws(RepositoryError) -> Value.Plain? {
        self == .least
            ? try store.fetch(Item.where(condition).min(of: column))
            : try store.fetch(Item.where(condition).max(of: column))
    }

    func groups<Item: Entity, Value: OrderedValue, Key: ColumnValue & Equatable>(
        _ repository: any Repository, _ column: KeyPath<Item, Value> & Sendable,
        where condition: Condition<Item>? = nil, by key: KeyPath<Item, Key> & Sendable
    ) -> Signal<[Grouped<Key, Value.Plain?>], RepositoryError> {
        self == .least
            ? repository.aggregate(.min, of: column, groupedBy: key) { _ in condition ?? .true }
            : repository.aggregate(.max, of: column, groupedBy: key) { _ in condition ?? .true }
    }

    func liveGroups<Item: Entity, Value: OrderedValue, Key: ColumnValue & Equatable>(
        _ repository: any Repository, _ column: KeyPath<Item, Value> & Sendable,
        where condition: Condition<Item>? = nil, by key: KeyPath<Item, Key> & Sendable
    ) -> Signal<[Grouped<Key, Value.Plain?>], RepositoryError> {
        self == .least
            ? repository.aggregateSubscription(.min, of: column, groupedBy: key) { _ in condition ?? .true }
            : repository.aggregateSubscription(.max, of: column, groupedBy: key) { _ in condition ?? .true }
    }

    func groupsInside<Item: Entity, Value: OrderedValue, Key: ColumnValue & Equatable>(
        _ store: ReadTransaction, _ column: KeyPath<Item, Value> & Sendable,
        where condition: Condition<Item>? = nil, by key: KeyPath<Item, Key> & Sendable
    ) throws(RepositoryError) -> [Grouped<Key, Value.Plain?>] {
        self == .least
            ? try store.fetch(Item.where { _ in condition ?? .true }.aggregate(.min, of: column, groupedBy: key))
            : try store.fetch(Item.where { _ in condition ?? .true }.aggregate(.max, of: column, groupedBy: key))
    }

    /// The same in plain Swift.
    func of<Value: Comparable>(_ values: [Value]) -> Value? { self == .least ? values.min() : values.max() }

    /// The same for text, which is ordered by its bytes.
    func of(texts: [String]) -> String? {
        let precedes: (String, String) -> Bool = { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return self == .least ? texts.min(by: precedes) : texts.max(by: precedes)
    }
}
