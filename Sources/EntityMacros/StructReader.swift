#if Macros
    import SwiftDiagnostics
    import SwiftSyntax

    /// The stored properties and the key of a struct, with the errors found in them.
    struct StructReader {
        let declaration: StructDeclSyntax
        let lexicalContext: [Syntax]
        private(set) var properties: [Property] = []
        private(set) var problems: [Diagnostic] = []
        /// The other members in the struct's braces, by name: computed and static properties, functions and types.
        private(set) var otherNames: [String: Syntax] = [:]
        /// Whether the struct declares a static property `clauses`.
        private(set) var hasClauses = false
        private var initializers: [InitializerDeclSyntax] = []

        init(_ declaration: StructDeclSyntax, lexicalContext: [Syntax]) {
            self.declaration = declaration
            self.lexicalContext = lexicalContext
            checkStruct()
            for member in declaration.memberBlock.members { read(member.decl) }
            checkInitializers()
            if let schema = otherNames["schema"] { problems.append(.declaredAlready(schema, "schema")) }
            checkColumnNames()
            checkComputed()
            checkKey()
        }

        /// The properties that `@Key` marks.
        var keys: [Property] { properties.filter { $0[.key] != nil } }

        /// The property named `id`.
        var id: Property? { properties.first { $0.bareName == "id" } }

        /// The access modifier of the generated members, followed by a space; empty if they need none.
        var access: String {
            let levels: Set<Keyword> = [.public, .package, .internal, .fileprivate, .private, .open]
            func level(_ modifiers: DeclModifierListSyntax) -> String? {
                modifiers.first { modifier in
                    guard case .keyword(let keyword) = modifier.name.tokenKind else { return false }
                    return levels.contains(keyword) && modifier.detail == nil
                }?.name.text
            }
            let outer = lexicalContext.first?.as(ExtensionDeclSyntax.self).flatMap { level($0.modifiers) }
            let own = level(declaration.modifiers) ?? outer
            return own.map { ["public", "package"].contains($0) ? $0 + " " : "" } ?? ""
        }

        private mutating func checkStruct() {
            if let clause = declaration.genericParameterClause { problems.append(.genericStruct(clause)) }
            let isInGeneric = lexicalContext.contains {
                $0.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil
            }
            if isInGeneric { problems.append(.structInGeneric(declaration.name)) }
            let isPrivate = declaration.modifiers.first { $0.name.tokenKind == .keyword(.private) }
            if let isPrivate, !lexicalContext.isEmpty { problems.append(.privateNested(isPrivate)) }
        }

        private mutating func read(_ member: DeclSyntax) {
            if let variable = member.as(VariableDeclSyntax.self) {
                read(variable)
            } else if let initializer = member.as(InitializerDeclSyntax.self) {
                initializers.append(initializer)
            } else if let condition = member.as(IfConfigDeclSyntax.self) {
                if condition.mayStore { problems.append(.conditionalMembers(condition)) }
            } else if let named = member.asProtocol((any NamedDeclSyntax).self) {
                otherNames[named.name.bareText] = Syntax(named.name)
            }
        }

        private mutating func read(_ variable: VariableDeclSyntax) {
            let markers = variable.attributes.compactMap { $0.as(AttributeSyntax.self).flatMap(Marker.init) }
            let isStatic = variable.modifiers.contains {
                [.keyword(.static), .keyword(.class)].contains($0.name.tokenKind)
            }
            let isStored = !isStatic && variable.bindings.contains { !$0.isComputed }
            if isStored { problems += PropertyRules.problems(of: variable, markers) }
            for binding in variable.bindings {
                guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else {
                    if !isStatic { problems.append(.severalNames(binding.pattern)) }
                    continue
                }
                if isStatic || binding.isComputed {
                    otherNames[name.bareText] = Syntax(name)
                    if isStatic, name.bareText == "clauses" { hasClauses = true }
                    problems += markers.map { .marker($0, on: name.bareText, isStatic: isStatic) }
                    continue
                }
                let type = variable.bindings.typeAnnotation(of: binding)
                let property = Property(name: name, type: type, value: binding.initializer?.value, markers: markers)
                properties.append(property)
                problems += PropertyRules.problems(of: property, in: variable)
            }
        }

        /// Checks that, if the struct's braces contain initializers, one of them has the memberwise parameters.
        ///
        /// If the braces contain an initializer, Swift omits the memberwise one, which the schema calls for each row.
        private mutating func checkInitializers() {
            let names = properties.map(\.bareName)
            let isDeclared = initializers.contains { initializer in
                initializer.signature.parameterClause.parameters.map(\.firstName.bareText) == names
                    && initializer.optionalMark == nil && initializer.signature.effectSpecifiers?.asyncSpecifier == nil
            }
            if let first = initializers.first, !isDeclared { problems.append(.ownInitializer(first, names)) }
        }

        private mutating func checkColumnNames() {
            var seen: [String: Property] = [:]
            for property in properties {
                // SQLite ignores the case of ASCII letters in column names, but not of other letters.
                let name = String(
                    decoding: property.column.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
                if let other = seen[name] { problems.append(.sameColumn(property, other)) }
                seen[name] = property
            }
        }

        private mutating func checkComputed() {
            guard let last = properties.lastIndex(where: { $0[.computed] == nil }) else { return }
            problems += properties[..<last].filter { $0[.computed] != nil }.map { .computedBeforeOthers($0) }
        }

        private mutating func checkKey() {
            let keys = keys
            problems += (keys.isEmpty ? [id].compactMap { $0 } : keys).filter(\.isOptional).map { .optionalKey($0) }
            guard let first = keys.first else {
                if id != nil { return }
                let node = otherNames["id"]
                problems.append(node.map { .computedID($0) } ?? .noKey(declaration))
                return
            }
            if let id, id[.key] == nil { problems.append(.idBesideKey(first, id)) }
            if let id, keys.count > 1, id[.key] != nil { problems.append(.idInCompositeKey(id)) }
            if id == nil && otherNames["id"] == nil {
                problems += keys.filter { $0.type == nil }.map { .keyWithoutType($0) }
            }
        }
    }

    extension PatternBindingSyntax {
        /// Whether the property has accessors other than the observers `willSet` and `didSet`.
        fileprivate var isComputed: Bool {
            switch accessorBlock?.accessors {
            case nil: false
            case .getter: true
            case .accessors(let accessors):
                !accessors.allSatisfy {
                    [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
                }
            }
        }
    }

    extension PatternBindingListSyntax {
        /// Returns the declared type of a binding; in `let a, b: Int`, `a` has the type that is written after `b`.
        fileprivate func typeAnnotation(of binding: PatternBindingSyntax) -> TypeSyntax? {
            if binding.initializer != nil { return binding.typeAnnotation?.type.trimmed }
            return drop { $0.id != binding.id }.prefix { $0.id == binding.id || $0.initializer == nil }
                .lazy.compactMap { $0.typeAnnotation?.type.trimmed }.first
        }
    }

    extension IfConfigDeclSyntax {
        /// Whether a branch of this `#if` declares a stored property or an initializer, on which the schema depends.
        fileprivate var mayStore: Bool {
            clauses.contains { clause in
                guard case .decls(let members) = clause.elements else { return false }
                return members.contains { member in
                    if let nested = member.decl.as(IfConfigDeclSyntax.self) { return nested.mayStore }
                    if member.decl.is(InitializerDeclSyntax.self) { return true }
                    guard let variable = member.decl.as(VariableDeclSyntax.self) else { return false }
                    return !variable.modifiers.contains { $0.name.tokenKind == .keyword(.static) }
                        && !variable.bindings.allSatisfy(\.isComputed)
                }
            }
        }
    }
#endif
