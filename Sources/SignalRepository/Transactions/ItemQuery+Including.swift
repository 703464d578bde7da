// What `including` says is made of one engine, `Inclusion`: the endpoints name it. On an entity's query it is its items
// that others belong to; on that of a join or a search, `of:` says which side.

extension ItemQuery where Root: Entity {
    /// Includes with each item those that refer to it.
    ///
    /// ```swift
    /// let teams = Team.all.sorted(by: \.name).including(many: Player.all.sorted(by: \.name), by: \.teamID)
    /// for team in try await repository.fetch(teams).value() { print(team.name, team.included.map(\.name)) }
    /// ```
    /// A limit is that of each item's own: `Player.all.sorted(by: \.rating, .descending).limit(3)` are the best three
    /// of each team. What is included can include more, and so on.
    public func including<Children: ItemQuery, Reference: ColumnValue>(
        many children: Children, by reference: KeyPath<Children.Root, Reference> & Sendable
    ) -> IncludingQuery<Root, Including<Output, [Children.Output]>>
    where Children.Root: Entity, Reference.Plain == Root.ID.Plain {
        adding(.children(of: { $0 }, children, by: reference))
    }

    /// Includes with each item those that others join to it, each once.
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

    /// Includes with each item the first, in the order of the query, of those that refer to it; `nil` if there is none.
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

    /// Includes with each item the one that it refers to; `nil` where it refers to none, or to one that is left out.
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

    /// Includes with each item how many refer to it; they are counted, and not loaded.
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
    /// Includes with each row those items that refer to one side of it.
    ///
    /// ```swift
    /// let found = Airport.matching("inter", .prefix).including(many: Flight.all.limit(3), by: \.origin, of: \.item)
    /// let flights = Flight.leftJoined(to: Plane.self, on: \.tailNumber)
    ///     .including(many: Flight.all, by: \.tailNumber, of: \.right)
    /// ```
    /// A side that may be missing has none.
    public func including<Side: Entity, Children: ItemQuery, Reference: ColumnValue>(
        many children: Children, by reference: KeyPath<Children.Root, Reference> & Sendable,
        of side: @escaping @Sendable (Root) -> Side?
    ) -> IncludingQuery<Root, Including<Output, [Children.Output]>>
    where Children.Root: Entity, Reference.Plain == Side.ID.Plain {
        adding(.children(of: side, children, by: reference).ofSide)
    }

    /// Includes with each row those items that others join to one side of it, each once.
    public func including<Side: Entity, Children: ItemQuery, Link: Entity, From: ColumnValue, To: ColumnValue>(
        many children: Children, through links: FetchQuery<Link>, from: KeyPath<Link, From> & Sendable,
        to: KeyPath<Link, To> & Sendable, of side: @escaping @Sendable (Root) -> Side?
    ) -> IncludingQuery<Root, Including<Output, [Children.Output]>>
    where Children.Root: Entity, From.Plain == Side.ID.Plain, To.Plain == Children.Root.ID.Plain {
        adding(.children(of: side, children, through: links, from: from, to: to).ofSide)
    }

    /// Includes with each row the first, in the order of the query, of those items that refer to one side of it.
    public func including<Side: Entity, Children: ItemQuery, Reference: ColumnValue>(
        first children: Children, by reference: KeyPath<Children.Root, Reference> & Sendable,
        of side: @escaping @Sendable (Root) -> Side?
    ) -> IncludingQuery<Root, Including<Output, Children.Output?>>
    where Children.Root: Entity, Reference.Plain == Side.ID.Plain {
        adding(.first(of: .children(of: side, children.asIncludingQuery.one, by: reference)).ofSide)
    }

    /// Includes with each row the item that one side of it refers to.
    public func including<Side: Entity, Parents: ItemQuery, Reference: ColumnValue>(
        parent parents: Parents, by reference: KeyPath<Side, Reference> & Sendable,
        of side: @escaping @Sendable (Root) -> Side?
    ) -> IncludingQuery<Root, Including<Output, Parents.Output?>>
    where Parents.Root: Entity, Reference.Plain == Parents.Root.ID.Plain {
        adding(.parent(of: side, parents, by: reference).ofSide)
    }

    /// Includes with each row how many items refer to one side of it.
    public func including<Side: Entity, Child: Entity, Reference: ColumnValue>(
        count children: FetchQuery<Child>, by reference: KeyPath<Child, Reference> & Sendable,
        of side: @escaping @Sendable (Root) -> Side?
    ) -> IncludingQuery<Root, Including<Output, Int>> where Reference.Plain == Side.ID.Plain {
        adding(.count(of: side, children, by: reference).ofSide)
    }
}
