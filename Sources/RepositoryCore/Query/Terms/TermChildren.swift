// Terms that count the items that refer to an item, or test whether there are any.

extension Columns {
    /// Counts the items of another entity that refer to this item.
    ///
    /// ```swift
    /// let teams = Team.where { $0.count(of: Player.self, by: \.teamID) > 11 }
    /// ```
    public func count<Child: Entity, Reference: ColumnValue>(
        of type: Child.Type, by reference: KeyPath<Child, Reference> & Sendable,
        @ConditionBuilder<Child> where condition: (Columns<Child, Child>) -> Condition<Child> = { _ in .true }
    ) -> Term<Root, Int> where Reference.Plain == Item.ID.Plain {
        Term<Root, Int> { () throws(RepositoryError) in
            try children(Child.self, reference, condition, areCounted: true)
        }
    }

    /// Tests whether any item of another entity refers to this item.
    ///
    /// ```swift
    /// let teams = Team.where { $0.exists(Player.self, by: \.teamID) { $0.rating > 4 } }
    /// ```
    public func exists<Child: Entity, Reference: ColumnValue>(
        _ type: Child.Type, by reference: KeyPath<Child, Reference> & Sendable,
        @ConditionBuilder<Child> where condition: (Columns<Child, Child>) -> Condition<Child> = { _ in .true }
    ) -> Condition<Root> where Reference.Plain == Item.ID.Plain {
        Condition { () throws(RepositoryError) in
            .truth(try children(Child.self, reference, condition, areCounted: false).term)
        }
    }

    private func children<Child: Entity>(
        _ type: Child.Type, _ reference: PartialKeyPath<Child> & Sendable,
        _ condition: (Columns<Child, Child>) -> Condition<Child>, areCounted: Bool
    ) throws(RepositoryError) -> TermValue {
        // Tables of nested closures need different names, but a shortened name could equal an enclosing table's name.
        let alias = ChildNames.free("\(table ?? Item.entityName)/\(Child.entityName)")
        let columns = Columns<Child, Child>(table: alias, keeper: keeper)
        let key = try TermValue(try Item.schema.idColumn.path, of: table ?? Item.entityName, keeper: keeper)
        let test = StoredTest.all([
            try key.test(isReferredToBy: try TermValue(reference, of: alias, keeper: keeper)),
            StandaloneRenaming(columns).test(try ChildNames.taking(alias) { condition(columns) }.stored()),
        ])
        return TermValue(
            .children(
                StoredChildren(
                    table: Child.entityName, alias: alias, keeper: keeper, test: test, areCounted: areCounted)),
            isOptional: false, .integer, depth: 1)
    }
}

/// The names of tables in enclosing closures, which a nested closure must not use for its own table.
private enum ChildNames {
    @TaskLocal private static var taken: [String] = []

    static func free(_ name: String) -> String {
        var name = name
        while taken.contains(Identifier.shortened(name)) { name += "+" }
        return Identifier.shortened(name)
    }

    static func taking<Result>(_ name: String, _ closure: () -> Result) -> Result {
        $taken.withValue(taken + [name], operation: closure)
    }
}
