/// An item that a join makes of several entities, each of which is a property.
///
/// ```swift
/// struct PlayerInfo: JoinedRow, Equatable {
///     let player: Player
///     let team: Team
///     let coach: Person?
///
///     static let join = Join(
///         Side(\PlayerInfo.player),
///         Side(\.team) { $0.player.teamID == $0.team.id },
///         Side(\.coach) { $0.team.coachID == $0.coach.id },
///         make: { PlayerInfo(player: $0, team: $1, coach: $2) })
/// }
///
/// let old = PlayerInfo.where { $0.player.rating > 4 && $0.coach.name == "Ada" }
/// ```
/// A side that is optional is `nil` where there is no item; otherwise the row is left out.
public protocol JoinedRow: Fetchable where QueryTerms == Sides<Self> {
    /// The sides, and how an item is made of them.
    static var join: Join<Self> { get }
}

/// One entity of a join.
public struct Side<Root: JoinedRow, Value: Sendable>: Sendable {
    let table: SourceTable
    let path: PartialKeyPath<Root> & Sendable
    let texts: @Sendable () -> [TextComparison<Root>]
    let condition: (@Sendable (Sides<Root>) -> Condition<Root>)?
    let read: @Sendable (RowSource) throws(RepositoryError) -> Value

    /// Declares a side whose items are always there.
    ///
    /// Without a condition, the only property of the sides before it that is declared to refer to it holds its id.
    public init(
        _ path: KeyPath<Root, Value> & Sendable,
        on condition: (@Sendable (Sides<Root>) -> Condition<Root>)? = nil
    ) where Value: Entity {
        (self.path, self.condition) = (path, condition)
        table = SourceTable(Value.self, label: path.sideName)
        texts = { Root.textComparisons(of: path) }
        read = { row throws(RepositoryError) in try Value.schema.decode(row) }
    }

    /// Declares a side whose items may be missing.
    public init<Item: Entity>(
        _ path: KeyPath<Root, Item?> & Sendable,
        on condition: (@Sendable (Sides<Root>) -> Condition<Root>)? = nil
    ) where Value == Item? {
        (self.path, self.condition) = (path, condition)
        table = SourceTable(Item.self, label: path.sideName, isOptional: true)
        texts = { Root.textComparisons(of: path) }
        read = Item.readerIfPresent
    }
}

/// The sides of a join, in their order, and how an item is made of them.
public struct Join<Root: JoinedRow>: Sendable {
    fileprivate let tables: [SourceTable]
    fileprivate let paths: [PartialKeyPath<Root> & Sendable]
    fileprivate let texts: @Sendable () -> [TextComparison<Root>]
    fileprivate let conditions: [(@Sendable (Sides<Root>) -> Condition<Root>)?]
    fileprivate let read: @Sendable (RowSource) throws(RepositoryError) -> Root

    /// Declares a join; the first side has no condition.
    public init<each Value: Sendable>(
        _ side: repeat Side<Root, each Value>, make: @escaping @Sendable (repeat each Value) -> Root
    ) {
        var tables: [SourceTable] = []
        var texts: [@Sendable () -> [TextComparison<Root>]] = []
        var paths: [PartialKeyPath<Root> & Sendable] = []
        var conditions: [(@Sendable (Sides<Root>) -> Condition<Root>)?] = []
        for side in repeat each side {
            tables.append(side.table)
            paths.append(side.path)
            texts.append(side.texts)
            conditions.append(side.condition)
        }
        (self.tables, self.paths, self.conditions) = (tables, paths, conditions)
        self.texts = { [texts] in texts.flatMap { $0() } }
        let parts = (repeat SidePart(each side))
        read = { row throws(RepositoryError) in
            var first = 0
            return make(repeat try (each parts).next(row, &first))
        }
    }

    /// The name of a side's table within the statement.
    fileprivate func label(of path: AnyKeyPath) -> String? {
        paths.firstIndex { $0 == path }.flatMap { tables[$0].label }
    }
}

/// What reading a side needs.
private struct SidePart<Value: Sendable>: Sendable {
    private let width: Int
    private let read: @Sendable (RowSource) throws(RepositoryError) -> Value

    init<Root>(_ side: Side<Root, Value>) {
        width = side.table.width
        read = side.read
    }

    func next(_ row: RowSource, _ first: inout Int) throws(RepositoryError) -> Value {
        defer { first += width }
        return try read(row.advanced(by: first))
    }
}

extension AnyKeyPath {
    /// The name of a property, which the statement gives to the table of a side.
    fileprivate var sideName: String {
        String(describing: self).split(separator: ".").last.map { String($0).replacing("?", with: "") } ?? "side"
    }
}

/// The sides of a join as terms: what the closure of a query gets.
@dynamicMemberLookup
public struct Sides<Root: JoinedRow>: Sendable {
    /// The properties of a side.
    public subscript<Item: Entity>(dynamicMember path: KeyPath<Root, Item> & Sendable) -> Columns<Root, Item> {
        Columns(table: Root.join.label(of: path) ?? path.sideName)
    }

    /// The properties of a side that may be missing.
    public subscript<Item: Entity>(
        dynamicMember path: KeyPath<Root, Item?> & Sendable
    ) -> OptionalColumns<Root, Item> {
        OptionalColumns(table: Root.join.label(of: path) ?? path.sideName)
    }
}

extension JoinedRow {
    /// The sides as terms.
    public static var queryTerms: Sides<Self> { Sides() }

    /// The tables of the sides.
    public static var fetchSource: FetchSource<Self> {
        FetchSource(join.tables, texts: join.texts, read: join.read)
    }

    /// The query for every item.
    public static var all: FetchQuery<Self> {
        let join = join
        var joins: [Condition<Self>] = []
        for index in join.tables.indices.dropFirst() {
            joins.append(join.conditions[index].map { $0(Sides()) } ?? .reference(in: join.tables, at: index))
        }
        return FetchQuery(joins: joins)
    }

    /// Starts a query with a condition on the properties of the sides; each line of the closure has to hold.
    public static func `where`(
        @ConditionBuilder<Self> _ condition: (Sides<Self>) -> Condition<Self>
    ) -> FetchQuery<Self> {
        all.where(condition)
    }
}
