/// A row of a join of several entities, with a property for the item of each entity.
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
/// Each ``Side`` is one entity of the join. If no item matches an optional side, the side's property is `nil`. If no
/// item matches a required side, the row is left out. ``Joined`` and ``LeftJoined`` are predefined rows with two sides.
public protocol JoinedRow: Fetchable {
    /// The sides, and the closure that makes a row from their items.
    static var join: Join<Self> { get }
}

/// One entity of a join, with the property that holds its item.
public struct Side<Root: JoinedRow, Value: Sendable>: Sendable {
    fileprivate let table: SourceTable
    fileprivate let part: JoinPart<Root>
    fileprivate let read: @Sendable (RowSource) throws(RepositoryError) -> Value

    /// Declares a side that always has an item.
    ///
    /// Without a condition, the side is joined by the property of an earlier side that is declared to refer to this
    /// side's entity. The query fails with `.misuse` unless there is exactly one such property.
    public init(
        _ path: KeyPath<Root, Value> & Sendable,
        on condition: (@Sendable (Sides<Root>) -> Condition<Root>)? = nil
    ) where Value: Entity {
        self.init(path.sideName, path, condition, read: Value.schema.decode) { $0[keyPath: path] }
    }

    /// Declares a side whose item may be missing.
    public init<Item: Entity>(
        _ path: KeyPath<Root, Item?> & Sendable,
        on condition: (@Sendable (Sides<Root>) -> Condition<Root>)? = nil
    ) where Value == Item? {
        self.init(path.sideName, path, condition, isOptional: true, read: Item.readerIfPresent) { $0[keyPath: path] }
    }

    /// Declares a side by its name instead of a key path.
    ///
    /// A generic row, such as `Joined`, makes its join for each query. Making key paths would take most of that time.
    init<Item: Entity>(
        _ name: String, _ path: (PartialKeyPath<Root> & Sendable)? = nil,
        _ condition: (@Sendable (Sides<Root>) -> Condition<Root>)? = nil, isOptional: Bool = false,
        read: @escaping @Sendable (RowSource) throws(RepositoryError) -> Value,
        item: @escaping @Sendable (Root) -> Item?
    ) {
        table = SourceTable(Item.self, label: name, isOptional: isOptional)
        part = JoinPart(path: path, condition: condition) {
            let texts = StoredTexts<Item>()
            return { texts.areSame(item($0), item($1)) }
        }
        self.read = read
    }
}

/// The parts of a side that do not depend on the type of its item; its table is stored separately.
private struct JoinPart<Root: JoinedRow>: Sendable {
    let path: (PartialKeyPath<Root> & Sendable)?
    let condition: (@Sendable (Sides<Root>) -> Condition<Root>)?
    let texts: @Sendable () -> TextComparison<Root>
}

/// The sides of a join in order, and the closure that makes a row from their items.
public struct Join<Root: JoinedRow>: Sendable {
    fileprivate let tables: [SourceTable]
    fileprivate let parts: [JoinPart<Root>]
    fileprivate let read: @Sendable (RowSource) throws(RepositoryError) -> Root

    /// Declares a join; the first side has no condition.
    public init<each Value: Sendable>(
        _ side: repeat Side<Root, each Value>, make: @escaping @Sendable (repeat each Value) -> Root
    ) {
        var (tables, parts): ([SourceTable], [JoinPart<Root>]) = ([], [])
        for side in repeat each side {
            tables.append(side.table)
            parts.append(side.part)
        }
        (self.tables, self.parts) = (tables, parts)
        var first = 0
        let readers = (repeat (each side).reader(&first))
        read = { row throws(RepositoryError) in make(repeat try (each readers)(row)) }
    }

    /// Declares a join of two sides, whose rows are read faster than with the general initializer.
    init<Left, Right>(
        _ left: Side<Root, Left>, _ right: Side<Root, Right>, make: @escaping @Sendable (Left, Right) -> Root
    ) {
        (tables, parts) = ([left.table, right.table], [left.part, right.part])
        let (width, readLeft, readRight) = (left.table.width, left.read, right.read)
        read = { row throws(RepositoryError) in make(try readLeft(row), try readRight(row.advanced(by: width))) }
    }

    /// Returns the name of a side's table within the statement.
    fileprivate func label(of path: AnyKeyPath) -> String {
        parts.firstIndex { ($0.path as AnyKeyPath?) == path }.flatMap { tables[$0].label } ?? path.sideName
    }
}

extension Side {
    /// Returns a reader of the side's values, which begin at `first` in the row, and advances `first` past them.
    fileprivate func reader(_ first: inout Int) -> @Sendable (RowSource) throws(RepositoryError) -> Value {
        let (start, read) = (first, read)
        first += table.width
        return { row throws(RepositoryError) in try read(row.advanced(by: start)) }
    }
}

extension AnyKeyPath {
    /// The name of the property, which the statement uses for the table of the side.
    fileprivate var sideName: String {
        String(describing: self).split(separator: ".").last.map { String($0).replacing("?", with: "") } ?? "side"
    }
}

extension Entity {
    /// A reader that returns the item of a row, or `nil` if the item is missing.
    static var readerIfPresent: @Sendable (RowSource) throws(RepositoryError) -> Self? {
        let schema = schema
        let key = (try? schema.key.names.first).flatMap { schema.names.firstIndex(of: $0) } ?? 0
        return { row throws(RepositoryError) in
            // The key of an item is never NULL.
            if ColumnCell(row, index: Int32(key), scale: 0).isNull { return nil }
            return try schema.decode(row)
        }
    }
}

/// The sides of a join as terms, for the closures of a query.
@dynamicMemberLookup
public struct Sides<Root: JoinedRow>: Sendable {
    /// The properties of a side.
    public subscript<Item: Entity>(dynamicMember path: KeyPath<Root, Item> & Sendable) -> Columns<Root, Item> {
        Columns(table: Root.join.label(of: path))
    }

    /// The properties of a side that may be missing.
    public subscript<Item: Entity>(
        dynamicMember path: KeyPath<Root, Item?> & Sendable
    ) -> OptionalColumns<Root, Item> {
        OptionalColumns(table: Root.join.label(of: path))
    }
}

extension JoinedRow {
    /// The parameter of a query's closures: the sides, whose properties are terms.
    public static var queryTerms: Sides<Self> { Sides() }

    /// The tables of the sides.
    public static var fetchSource: FetchSource<Self> {
        let join = join
        return FetchSource(join.tables, texts: { join.parts.map { $0.texts() } }, read: join.read)
    }

    /// The query for every row.
    public static var all: FetchQuery<Self> {
        let join = join
        return FetchQuery(
            joins: join.tables.indices.dropFirst().map { index in
                join.parts[index].condition.map { $0(Sides()) } ?? .reference(in: join.tables, at: index)
            })
    }

    /// Starts a query with a condition on the properties of the sides; every line of the closure must hold.
    public static func `where`(
        @ConditionBuilder<Self> _ condition: (QueryTerms) -> Condition<Self>
    ) -> FetchQuery<Self> {
        all.where(condition)
    }
}

extension Term where Value == Bool {
    /// Returns the join condition of a table: its key equals the one column of the earlier tables that refers to it.
    fileprivate static func reference(in tables: [SourceTable], at index: Int) -> Condition<Root> {
        Condition { () throws(RepositoryError) in
            let target = tables[index]
            let columns = tables[..<index].flatMap { table in
                table.references().filter { $0.table == target.name }.map { (table: table.label, name: $0.column) }
            }
            guard columns.count == 1, let column = columns.first, let key = try target.key.get().first else {
                throw .misuse(
                    detail: "\(columns.count) columns refer to \(target.name), not one: pass a condition with on:")
            }
            return .terms(
                .plain(.equal), .column(StoredColumn(key, of: target.label)),
                .column(StoredColumn(column.name, of: column.table)))
        }
    }
}
