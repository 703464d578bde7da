/// An item of one entity with one of another.
///
/// ```swift
/// let players = Player.joined(to: Team.self, on: \.teamID)
///     .where { player, team in player.rating > 4 && team.city == "Bath" }
/// ```
public struct Joined<Left: Entity, Right: Entity>: Sendable {
    /// The item of the entity that the join begins with.
    public let left: Left
    /// The item that belongs to it.
    public let right: Right
}

/// An item of one entity, with one of another where there is one.
public struct LeftJoined<Left: Entity, Right: Entity>: Sendable {
    /// The item of the entity that the join begins with.
    public let left: Left
    /// The item that belongs to it; `nil` where there is none.
    public let right: Right?
}

extension Joined: Equatable where Left: Equatable, Right: Equatable {}
extension LeftJoined: Equatable where Left: Equatable, Right: Equatable {}

extension Joined: Fetchable {
    /// The properties of both sides as terms.
    public static var queryTerms: (Columns<Joined, Left>, Columns<Joined, Right>) {
        (Columns(table: Left.entityName), Columns(table: Left.name(ofOther: Right.self)))
    }

    /// Both tables.
    public static var fetchSource: FetchSource<Joined> {
        let tables = [
            SourceTable(Left.self, label: Left.entityName),
            SourceTable(Right.self, label: Left.name(ofOther: Right.self)),
        ]
        let (left, right) = (Left.schema, Right.schema)
        let first = Int32(tables[0].width)
        return FetchSource(tables, texts: { textComparisons(of: \.left) + textComparisons(of: \.right) }) {
            statement throws(RepositoryError) in
            Joined(
                left: try left.decode(RowSource(statement: statement.pointer)),
                right: try right.decode(RowSource(statement: statement.pointer, first: first)))
        }
    }
}

extension LeftJoined: Fetchable {
    /// The properties of both sides as terms.
    public static var queryTerms: (Columns<LeftJoined, Left>, OptionalColumns<LeftJoined, Right>) {
        (Columns(table: Left.entityName), OptionalColumns(table: Left.name(ofOther: Right.self)))
    }

    /// Both tables.
    public static var fetchSource: FetchSource<LeftJoined> {
        let tables = [
            SourceTable(Left.self, label: Left.entityName),
            SourceTable(Right.self, label: Left.name(ofOther: Right.self), isOptional: true),
        ]
        let (left, right) = (Left.schema, Right.readerIfPresent)
        let first = Int32(tables[0].width)
        return FetchSource(tables, texts: { textComparisons(of: \.left) + textComparisons(of: \.right) }) {
            statement throws(RepositoryError) in
            LeftJoined(
                left: try left.decode(RowSource(statement: statement.pointer)),
                right: try right(RowSource(statement: statement.pointer, first: first)))
        }
    }
}

extension Entity {
    /// The name of another table in a join with this one.
    fileprivate static func name<Other: Entity>(ofOther other: Other.Type) -> String {
        Identifier.key(Other.entityName) == Identifier.key(entityName) ? entityName + "2" : Other.entityName
    }

    /// Reads the item of a row; `nil` where the row is missing.
    static var readerIfPresent: @Sendable (RowSource) throws(RepositoryError) -> Self? {
        let schema = schema
        let key = (try? schema.key.names.first).flatMap { name in schema.columns.firstIndex { $0.name == name } } ?? 0
        return { row throws(RepositoryError) in
            // A key is never NULL.
            if ColumnCell(row, index: Int32(key), scale: 0).isNull { return nil }
            return try schema.decode(row)
        }
    }

    /// Joins each item with that of another entity whose id a property holds.
    ///
    /// ```swift
    /// let players = Player.joined(to: Team.self, on: \.teamID)
    /// ```
    /// Items without one are left out; `leftJoined(to:on:)` keeps them.
    public static func joined<Right: Entity>(
        to other: Right.Type, on property: KeyPath<Self, Right.ID> & Sendable
    ) -> FetchQuery<Joined<Self, Right>> {
        joined(to: other) { left, right in right.id(is: left[dynamicMember: property]) }
    }

    /// Joins each item with that of another entity whose id an optional property holds.
    public static func joined<Right: Entity>(
        to other: Right.Type, on property: KeyPath<Self, Right.ID?> & Sendable
    ) -> FetchQuery<Joined<Self, Right>> {
        joined(to: other) { left, right in right.id(is: left[dynamicMember: property]) }
    }

    /// Joins each item with that of another entity to which a property is declared to refer.
    ///
    /// - Failure: `.misuse` unless exactly one property refers to the entity.
    public static func joined<Right: Entity>(to other: Right.Type) -> FetchQuery<Joined<Self, Right>> {
        FetchQuery(joins: [.reference(in: Joined<Self, Right>.fetchSource.tables, at: 1)])
    }

    /// Joins each item with those of another entity that belong to it.
    public static func joined<Right: Entity>(
        to other: Right.Type,
        @ConditionBuilder<Joined<Self, Right>> on condition:
            (Columns<Joined<Self, Right>, Self>, Columns<Joined<Self, Right>, Right>) -> Condition<Joined<Self, Right>>
    ) -> FetchQuery<Joined<Self, Right>> {
        let (left, right) = Joined<Self, Right>.queryTerms
        return FetchQuery(joins: [condition(left, right)])
    }

    /// Joins each item with that of another entity whose id a property holds, if there is one.
    public static func leftJoined<Right: Entity>(
        to other: Right.Type, on property: KeyPath<Self, Right.ID> & Sendable
    ) -> FetchQuery<LeftJoined<Self, Right>> {
        leftJoined(to: other) { left, right in right.id(is: left[dynamicMember: property]) }
    }

    /// Joins each item with that of another entity whose id an optional property holds, if there is one.
    public static func leftJoined<Right: Entity>(
        to other: Right.Type, on property: KeyPath<Self, Right.ID?> & Sendable
    ) -> FetchQuery<LeftJoined<Self, Right>> {
        leftJoined(to: other) { left, right in right.id(is: left[dynamicMember: property]) }
    }

    /// Joins each item with that of another entity to which a property is declared to refer, if there is one.
    ///
    /// - Failure: `.misuse` unless exactly one property refers to the entity.
    public static func leftJoined<Right: Entity>(to other: Right.Type) -> FetchQuery<LeftJoined<Self, Right>> {
        FetchQuery(joins: [.reference(in: LeftJoined<Self, Right>.fetchSource.tables, at: 1)])
    }

    /// Joins each item with those of another entity that belong to it, if there are any.
    public static func leftJoined<Right: Entity>(
        to other: Right.Type,
        @ConditionBuilder<LeftJoined<Self, Right>> on condition: (
            Columns<LeftJoined<Self, Right>, Self>, OptionalColumns<LeftJoined<Self, Right>, Right>
        ) -> Condition<LeftJoined<Self, Right>>
    ) -> FetchQuery<LeftJoined<Self, Right>> {
        let (left, right) = LeftJoined<Self, Right>.queryTerms
        return FetchQuery(joins: [condition(left, right)])
    }
}

extension Fetchable {
    /// How the texts of one side are told apart.
    static func textComparisons<Side: Entity>(of side: KeyPath<Self, Side> & Sendable) -> [TextComparison<Self>] {
        Side.fetchSource.texts().map { isSame in { isSame($0[keyPath: side], $1[keyPath: side]) } }
    }

    /// How the texts of one side that may be missing are told apart.
    static func textComparisons<Side: Entity>(of side: KeyPath<Self, Side?> & Sendable) -> [TextComparison<Self>] {
        Side.fetchSource.texts().map { isSame in
            { left, right in
                guard let left = left[keyPath: side], let right = right[keyPath: side] else { return true }
                return isSame(left, right)
            }
        }
    }
}

extension Columns {
    fileprivate func id<Value>(is other: Term<Root, Value>) -> Condition<Root> { .joining(Item.self, table, other) }
}

extension OptionalColumns {
    fileprivate func id<Value>(is other: Term<Root, Value>) -> Condition<Root> { .joining(Item.self, table, other) }
}

extension Term where Value == Bool {
    /// Compares the key of a table with a term that holds it.
    fileprivate static func joining<Item: Entity, Other>(
        _ type: Item.Type, _ table: String?, _ other: Term<Root, Other>
    ) -> Condition<Root> {
        Condition { () throws(RepositoryError) in
            let key = try TermValue(try Item.schema.idColumn.path, of: table)
            return try key.test(isReferredToBy: try other.value())
        }
    }

    /// Compares the key of a table with the only column before it that refers to it.
    static func reference(in tables: [SourceTable], at place: Int) -> Condition<Root> {
        Condition { () throws(RepositoryError) in
            let target = tables[place]
            let columns = tables[..<place].flatMap { table in
                table.references().filter { $0.table == target.name }.map { (table: table.label, name: $0.column) }
            }
            guard columns.count == 1, let column = columns.first, let key = try target.key.get().first else {
                throw .misuse(
                    detail: "\(columns.count) columns refer to \(target.name): say what joins it with on:")
            }
            return .terms(
                .plain(.equal), .column(StoredColumn(key, of: target.label)),
                .column(StoredColumn(column.name, of: column.table)))
        }
    }
}
