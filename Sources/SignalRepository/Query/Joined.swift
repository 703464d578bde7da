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
        FetchSource(
            Left.self, Right.self, Right.schema.decode,
            texts: { textComparisons(of: \.left) + textComparisons(of: \.right) }, make: Joined.init)
    }
}

extension LeftJoined: Fetchable {
    /// The properties of both sides as terms.
    public static var queryTerms: (Columns<LeftJoined, Left>, OptionalColumns<LeftJoined, Right>) {
        (Columns(table: Left.entityName), OptionalColumns(table: Left.name(ofOther: Right.self)))
    }

    /// Both tables.
    public static var fetchSource: FetchSource<LeftJoined> {
        FetchSource(
            Left.self, Right.self, Right.readerIfPresent, isOptional: true,
            texts: { textComparisons(of: \.left) + textComparisons(of: \.right) }, make: LeftJoined.init)
    }
}

extension FetchSource {
    /// The tables of two sides, of which the second is read in a way of its own.
    fileprivate init<Left: Entity, Right: Entity, Other>(
        _ left: Left.Type, _ right: Right.Type,
        _ readOther: @escaping @Sendable (RowSource) throws(RepositoryError) -> Other,
        isOptional: Bool = false, texts: @escaping @Sendable () -> [TextComparison<Item>],
        make: @escaping @Sendable (Left, Other) -> Item
    ) {
        let tables = [
            SourceTable(left, label: Left.entityName),
            SourceTable(right, label: Left.name(ofOther: right), isOptional: isOptional),
        ]
        let (schema, first) = (Left.schema, tables[0].width)
        self.init(tables, texts: texts) { row throws(RepositoryError) in
            make(try schema.decode(row), try readOther(row.advanced(by: first)))
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
        let key = (try? schema.key.names.first).flatMap { schema.names.firstIndex(of: $0) } ?? 0
        return { row throws(RepositoryError) in
            // A key is never NULL.
            if ColumnCell(row, index: Int32(key), scale: 0).isNull { return nil }
            return try schema.decode(row)
        }
    }

    /// Joins by a property of the first side that holds the id of the other.
    private static func join<Row, Right: Entity>(
        _ other: Right.Type, by property: PartialKeyPath<Self> & Sendable
    ) -> FetchQuery<Row> {
        let condition = Condition<Row> { () throws(RepositoryError) in
            let key = try TermValue(try Right.schema.idColumn.path, of: name(ofOther: other))
            return try key.test(isReferredToBy: try TermValue(property, of: entityName))
        }
        return FetchQuery(joins: [condition])
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
        join(other, by: property)
    }

    /// Joins each item with that of another entity whose id an optional property holds.
    public static func joined<Right: Entity>(
        to other: Right.Type, on property: KeyPath<Self, Right.ID?> & Sendable
    ) -> FetchQuery<Joined<Self, Right>> {
        join(other, by: property)
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
        join(other, by: property)
    }

    /// Joins each item with that of another entity whose id an optional property holds, if there is one.
    public static func leftJoined<Right: Entity>(
        to other: Right.Type, on property: KeyPath<Self, Right.ID?> & Sendable
    ) -> FetchQuery<LeftJoined<Self, Right>> {
        join(other, by: property)
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

extension Term where Value == Bool {
    /// Compares the key of a table with the only column before it that refers to it.
    static func reference(in tables: [SourceTable], at index: Int) -> Condition<Root> {
        Condition { () throws(RepositoryError) in
            let target = tables[index]
            let columns = tables[..<index].flatMap { table in
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
