/// A predefined row with two sides: an item of one entity, and an item of another.
///
/// ```swift
/// let players = Player.joined(to: Team.self, on: \.teamID)
///     .where { player, team in player.rating > 4 && team.city == "Bath" }
/// ```
public struct Joined<Left: Entity, Right: Entity>: JoinedRow {
    /// The item of the first entity.
    public let left: Left
    /// The item of the second entity.
    public let right: Right

    /// The two sides, `left` and `right`.
    public static var join: Join<Joined> {
        Join(
            Side("left", read: Left.schema.decode) { $0.left }, Side("right", read: Right.schema.decode) { $0.right },
            make: { Joined(left: $0, right: $1) })
    }

    /// The properties of both sides as terms.
    public static var queryTerms: (Columns<Joined, Left>, Columns<Joined, Right>) {
        (Columns(table: "left"), Columns(table: "right"))
    }
}

/// A predefined row with two sides: an item of one entity, and a matching item of another if there is one.
public struct LeftJoined<Left: Entity, Right: Entity>: JoinedRow {
    /// The item of the first entity.
    public let left: Left
    /// The item of the second entity; `nil` if no item matches.
    public let right: Right?

    /// The two sides, `left` and `right`.
    public static var join: Join<LeftJoined> {
        Join(
            Side("left", read: Left.schema.decode) { $0.left },
            Side("right", isOptional: true, read: Right.readerIfPresent) { $0.right },
            make: { LeftJoined(left: $0, right: $1) })
    }

    /// The properties of both sides as terms.
    public static var queryTerms: (Columns<LeftJoined, Left>, OptionalColumns<LeftJoined, Right>) {
        (Columns(table: "left"), OptionalColumns(table: "right"))
    }
}

extension Joined: Equatable where Left: Equatable, Right: Equatable {}
extension LeftJoined: Equatable where Left: Equatable, Right: Equatable {}

extension Entity {
    /// Joins each item with the item of another entity whose id is the value of a property.
    ///
    /// ```swift
    /// let players = Player.joined(to: Team.self, on: \.teamID)
    /// ```
    /// An item is left out if no item of the other entity has this id; `leftJoined(to:on:)` keeps it.
    public static func joined<Right: Entity, Reference: ColumnValue>(
        to other: Right.Type, on reference: KeyPath<Self, Reference> & Sendable
    ) -> FetchQuery<Joined<Self, Right>> where Reference.Plain == Right.ID.Plain {
        FetchQuery(joins: [.reference(reference, to: other)])
    }

    /// Joins each item with the item that its `.references` property refers to in another entity.
    ///
    /// - Failure: `.misuse` unless exactly one property is declared to refer to the other entity.
    public static func joined<Right: Entity>(to other: Right.Type) -> FetchQuery<Joined<Self, Right>> {
        Joined.all
    }

    /// Joins each item with the items of another entity for which a condition holds.
    public static func joined<Right: Entity>(
        to other: Right.Type,
        @ConditionBuilder<Joined<Self, Right>> on condition:
            (Columns<Joined<Self, Right>, Self>, Columns<Joined<Self, Right>, Right>) -> Condition<Joined<Self, Right>>
    ) -> FetchQuery<Joined<Self, Right>> {
        let (left, right) = Joined<Self, Right>.queryTerms
        return FetchQuery(joins: [condition(left, right)])
    }

    /// Joins each item with the item of another entity whose id is the value of a property, or else with `nil`.
    public static func leftJoined<Right: Entity, Reference: ColumnValue>(
        to other: Right.Type, on reference: KeyPath<Self, Reference> & Sendable
    ) -> FetchQuery<LeftJoined<Self, Right>> where Reference.Plain == Right.ID.Plain {
        FetchQuery(joins: [.reference(reference, to: other)])
    }

    /// Joins each item with the item that its `.references` property refers to in another entity, or else with `nil`.
    ///
    /// - Failure: `.misuse` unless exactly one property is declared to refer to the other entity.
    public static func leftJoined<Right: Entity>(to other: Right.Type) -> FetchQuery<LeftJoined<Self, Right>> {
        LeftJoined.all
    }

    /// Joins each item with the items of another entity for which a condition holds, or else with `nil`.
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

extension Term where Value == Bool {
    fileprivate static func reference<Left: Entity, Right: Entity>(
        _ property: PartialKeyPath<Left> & Sendable, to right: Right.Type
    ) -> Condition<Root> {
        Condition { () throws(RepositoryError) in
            let key = try TermValue(try Right.schema.idColumn.path, of: "right")
            return try key.test(isReferredToBy: try TermValue(property, of: "left"))
        }
    }
}
