#if Macros
    import SignalRepository

    /// Declares the schema of a struct: a column for each stored property, in their order.
    ///
    /// ```swift
    /// import SignalRepository
    /// import SignalRepositoryMacros
    ///
    /// @Entity(unique: [["title", "studio"]])
    /// struct Film: Equatable {
    ///     let id: UUID
    ///     @Indexed var title: String
    ///     var studio: String?
    ///     @Scale(2) var gross: Decimal
    ///     @JSON var tags: [String]
    /// }
    ///
    /// print(Film.schema.columns.map(\.name))  // ["id", "title", "studio", "gross", "tags"]
    /// ```
    /// What it writes is an extension with the conformance to `Entity` and a `schema` as a person
    /// would write it. Rows are read with the memberwise initializer, or with one in the braces that takes the same.
    /// What else the table is declared with is a static property of the struct, called `clauses`.
    ///
    /// - Parameters:
    ///   - name: The name of the table; by default the name of the type.
    ///   - unique: Sets of properties, by their names, whose combined values are unique.
    ///   - indexed: Sets of properties, by their names, that share an index.
    ///   - search: Properties, by their names, in whose texts words are searched; see `Entity.matching(_:_:)`.
    @attached(extension, conformances: Entity, names: named(schema), named(entityName), named(id))
    public macro Entity(
        _ name: String? = nil, unique: [[String]] = [], indexed: [[String]] = [], search: [String] = []
    ) = #externalMacro(module: "EntityMacros", type: "EntityMacro")
#endif
