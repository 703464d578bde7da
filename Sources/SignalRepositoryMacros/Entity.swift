#if Macros
    import RepositoryCore

    /// Declares the schema of a struct, with a column for each stored property in order.
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
    /// The macro writes an extension with the conformance to `Entity` and a `schema`, as you would write it by hand. To
    /// read a row, the schema calls the memberwise initializer, or an initializer in the struct's braces with the same
    /// parameters. A static property `clauses` of the struct adds checks and other clauses; see `TableClause`.
    ///
    /// - Parameters:
    ///   - name: The name of the table; by default the name of the type.
    ///   - unique: Sets of property names whose combined values are unique.
    ///   - indexed: Sets of property names that share an index.
    ///   - search: The names of the text properties that full-text search covers; see `Entity.matching(_:_:)`.
    @attached(extension, conformances: Entity, names: named(schema), named(entityName), named(id))
    public macro Entity(
        _ name: String? = nil, unique: [[String]] = [], indexed: [[String]] = [], search: [String] = []
    ) = #externalMacro(module: "EntityMacros", type: "EntityMacro")
#endif
