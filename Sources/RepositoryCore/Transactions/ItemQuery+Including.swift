// Each `including` makes an `Inclusion`. In a query for an entity, the included items are related to the items of the
// query. In a query for a join or a search, the included items are related to the side that `of:` returns.

extension ItemQuery where Root: Entity {
    /// Includes the items that refer to each item.
    ///
    /// ```swift
    /// let teams = Team.all.sorted(by: \.name).including(many: Player.all.sorted(by: \.name), by: \.teamID)
    /// for team in try await repository.fetch(teams).value() { print(team.name, team.included.map(\.name)) }
    /// ```
    /// A limit applies to each item: `Player.all.sorted(by: \.rating, .descending).limit(3)` includes the best three of
    /// each team. The included query can itself include items.
    public func including<Children: ItemQuery, Reference: ColumnValue>(
        many children: Children, by reference: KeyPath<Children.Root, Reference> & Sendable
    ) -> IncludingQuery<Root, Including<Output, [Children.Output]>>
    where Children.Root: Entity, Reference.Plain == Root.ID.Plain {
        adding(.children(of: { $0 }, children, by: reference))
    }

    /// Includes the items that the rows of `links` connect to each item, without duplicates.
    ///
    /// ```swift
    /// let airlines = Airline.all.including(many: Airport.all, through: Flight.all, from: \.carrier, to: \.origin)
    /// ```
    public func including<Children: ItemQuery, Link: Entity, From: ColumnValue, To: ColumnValue>(
        many children: Children, through links: FetchQuery<Link>, from: KeyPath<Link, From> & Sendable,
        to: KeyPath<Link, To> & Sendable
    ) -> IncludingQuery<Root, Including<Output, [Children.Output]>>
    where Children.Root: Entity, From.Plain == Root.ID.Plain, To.Plain == Children.Root.ID.Plain {
        adding(.children(of: { $0 }, children, through: links, from: from, to: to))
    }

    /// Includes the first item, in the order of `children`, that refers to each item; `nil` if no item does.
    ///
    /// ```swift
    /// let teams = Team.all.including(first: Player.all.sorted(by: \.rating, .descending), by: \.teamID)
    /// for team in try await repository.fetch(teams).value() { print(team.name, team.included?.name ?? "nobody") }
    /// ```
    public func including<Children: ItemQuery, Reference: ColumnValue>(
        first children: Children, by reference: KeyPath<Children.Root, Reference> & Sendable
    ) -> IncludingQuery<Root, Including<Output, Children.Output?>>
    where Children.Root: Entity, Reference.Plain == Root.ID.Plain {
        adding(.first(of: .children(of: { $0 }, children.asIncludingQuery.one, by: reference)))
    }

    /// Includes the item that each item refers to; `nil` if there is none, or if `parents` does not select it.
    ///
    /// ```swift
    /// let players = Player.all.including(parent: Team.all, by: \.teamID)
    /// for player in try await repository.fetch(players).value() {
    ///     print(player.name, player.included?.name ?? "free")
    /// }
    /// ```
    public func including<Parents: ItemQuery, Reference: ColumnValue>(
        parent parents: Parents, by reference: KeyPath<Root, Reference> & Sendable
    ) -> IncludingQuery<Root, Including<Output, Parents.Output?>>
    where Parents.Root: Entity, Reference.Plain == Parents.Root.ID.Plain {
        adding(.parent(of: { $0 }, parents, by: reference))
    }

    /// Includes the number of items that refer to each item, without loading them.
    ///
    /// ```swift
    /// let teams = Team.all.including(count: Player.where { $0.rating > 3 }, by: \.teamID)
    /// for team in try await repository.fetch(teams).value() { print(team.name, team.included) }
    /// ```
    public func including<Child: Entity, Reference: ColumnValue>(
        count children: FetchQuery<Child>, by reference: KeyPath<Child, Reference> & Sendable
    ) -> IncludingQuery<Root, Including<Output, Int>> where Reference.Plain == Root.ID.Plain {
        adding(.count(of: { $0 }, children, by: reference))
    }
}

extension ItemQuery {
    /// Includes the items that refer to one side of each row.
    ///
    /// ```swift
    /// let found = Airport.matching("inter", .prefix).including(many: Flight.all.limit(3), by: \.origin, of: \.item)
    /// let flights = Flight.leftJoined(to: Plane.self, on: \.tailNumber)
    ///     .including(many: Flight.all, by: \.tailNumber, of: \.right)
    /// ```
    /// A missing side of an outer join includes no items.
    public func including<Side: Entity, Children: ItemQuery, Reference: ColumnValue>(
        many children: Children, by reference: KeyPath<Children.Root, Reference> & Sendable,
        of side: @escaping @Sendable (Root) -> Side?
    ) -> IncludingQuery<Root, Including<Output, [Children.Output]>>
    where Children.Root: Entity, Reference.Plain == Side.ID.Plain {
        adding(.children(of: side, children, by: reference))
    }

    /// Includes the items that the rows of `links` connect to one side of each row, without duplicates.
    public func including<Side: Entity, Children: ItemQuery, Link: Entity, From: ColumnValue, To: ColumnValue>(
        many children: Children, through links: FetchQuery<Link>, from: KeyPath<Link, From> & Sendable,
        to: KeyPath<Link, To> & Sendable, of side: @escaping @Sendable (Root) -> Side?
    ) -> IncludingQuery<Root, Including<Output, [Children.Output]>>
    where Children.Root: Entity, From.Plain == Side.ID.Plain, To.Plain == Children.Root.ID.Plain {
        adding(.children(of: side, children, through: links, from: from, to: to))
    }

    /// Includes the first item, in the order of `children`, that refers to one side of each row.
    public func including<Side: Entity, Children: ItemQuery, Reference: ColumnValue>(
        first children: Children, by reference: KeyPath<Children.Root, Reference> & Sendable,
        of side: @escaping @Sendable (Root) -> Side?
    ) -> IncludingQuery<Root, Including<Output, Children.Output?>>
    where Children.Root: Entity, Reference.Plain == Side.ID.Plain {
        adding(.first(of: .children(of: side, children.asIncludingQuery.one, by: reference)))
    }

    /// Includes the item that one side of each row refers to.
    public func including<Side: Entity, Parents: ItemQuery, Reference: ColumnValue>(
        parent parents: Parents, by reference: KeyPath<Side, Reference> & Sendable,
        of side: @escaping @Sendable (Root) -> Side?
    ) -> IncludingQuery<Root, Including<Output, Parents.Output?>>
    where Parents.Root: Entity, Reference.Plain == Parents.Root.ID.Plain {
        adding(.parent(of: side, parents, by: reference))
    }

    /// Includes the number of items that refer to one side of each row.
    public func including<Side: Entity, Child: Entity, Reference: ColumnValue>(
        count children: FetchQuery<Child>, by reference: KeyPath<Child, Reference> & Sendable,
        of side: @escaping @Sendable (Root) -> Side?
    ) -> IncludingQuery<Root, Including<Output, Int>> where Reference.Plain == Side.ID.Plain {
        adding(.count(of: side, children, by: reference))
    }
}
