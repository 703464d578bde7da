#if Macros
    import SwiftDiagnostics
    import SwiftSyntax

    // Errors in the struct that `@Entity` is attached to.
    extension Diagnostic {
        static func notAStruct(_ declaration: some DeclGroupSyntax) -> Diagnostic {
            let keyword = declaration.introducer
            let isClass = keyword.tokenKind == .keyword(.class)
            let fix = FixIt("Make it a struct", keyword, keyword.with(\.tokenKind, .keyword(.struct)))
            return Diagnostic(
                keyword, "@Entity can only be applied to a struct.", fixIts: isClass ? [fix] : [])
        }

        static func genericStruct(_ clause: GenericParameterClauseSyntax) -> Diagnostic {
            Diagnostic(clause, "A generic struct cannot be an entity: a table has one set of columns, for one type.")
        }

        static func structInGeneric(_ name: TokenSyntax) -> Diagnostic {
            Diagnostic(name, "A struct in a generic type is generic too, and cannot be an entity: declare it outside.")
        }

        static func privateNested(_ modifier: DeclModifierSyntax) -> Diagnostic {
            Diagnostic(
                modifier.name,
                "The extension that @Entity writes cannot see a private nested struct: make it fileprivate.",
                fixIts: [
                    FixIt("Make it fileprivate", modifier.name, modifier.name.with(\.tokenKind, .keyword(.fileprivate)))
                ])
        }

        static func conditionalMembers(_ condition: IfConfigDeclSyntax) -> Diagnostic {
            Diagnostic(
                condition.clauses.first?.poundKeyword ?? .poundIfToken(),
                """
                @Entity cannot evaluate `#if`, and a table has the same columns in every build. Move the `#if` into a \
                computed property, or declare the schema by hand.
                """)
        }

        static func ownInitializer(_ initializer: InitializerDeclSyntax, _ names: [String]) -> Diagnostic {
            let signature = "init(" + names.map { $0 + ":" }.joined() + ")"
            return Diagnostic(
                initializer.initKeyword,
                """
                An initializer in the struct's braces replaces the memberwise one, which reads rows: move it to an \
                extension, or declare \(signature) here too.
                """)
        }

        static func declaredAlready(_ node: Syntax, _ name: String) -> Diagnostic {
            Diagnostic(node, "@Entity already declares `\(name)`: remove one of the two.")
        }

        static func noKey(_ declaration: StructDeclSyntax) -> Diagnostic {
            let members = declaration.memberBlock.members
            let indentation = members.first?.leadingTrivia.indentation ?? []
            let id = MemberBlockItemSyntax(
                decl: DeclSyntax("let id: UUID").with(\.leadingTrivia, .newline + indentation))
            let fix = FixIt("Declare `let id: UUID`", members, [id] + members)
            return Diagnostic(
                declaration.name,
                "`\(declaration.name.bareText)` has no key: declare `id`, or mark a property with @Key.",
                fixIts: [fix])
        }

        static func computedID(_ node: Syntax) -> Diagnostic {
            Diagnostic(node, "`id` is computed: mark the stored property that it returns with @Key.")
        }

        static func setWithoutLiteral(_ expression: ExprSyntax) -> Diagnostic {
            Diagnostic(
                expression, "@Entity needs literal sets: write names in brackets, as in [[\"title\", \"studio\"]].")
        }

        static func searchWithoutLiteral(_ expression: ExprSyntax) -> Diagnostic {
            Diagnostic(
                expression,
                "@Entity needs literal names: write them in brackets, as in [\"title\", \"summary\"].")
        }

        static func searchOfOther(_ expression: ExprSyntax, _ property: Property, _ type: String) -> Diagnostic {
            Diagnostic(expression, "Only text can be searched, and `\(property.bareName)` is \(type.withArticle).")
        }

        static func searchedTwice(_ expression: ExprSyntax, _ property: Property) -> Diagnostic {
            Diagnostic(expression, "`\(property.bareName)` is listed twice.")
        }

        static func emptySet(_ expression: ExprSyntax) -> Diagnostic {
            Diagnostic(expression, "A set must name at least one property.")
        }

        static func noSuchProperty(_ expression: ExprSyntax, _ name: String, _ model: StructReader) -> Diagnostic {
            let near = model.properties.map(\.bareName).first { $0.lowercased() == name.lowercased() }
            let fixIts = near.map {
                [FixIt("Write \"\($0)\"", expression, StringLiteralExprSyntax(content: $0))]
            }
            return Diagnostic(
                expression,
                "`\(model.declaration.name.bareText)` has no stored property called `\(name)`.", fixIts: fixIts ?? [])
        }
    }

    extension Trivia {
        /// The trailing spaces and tabs, which indent the next token.
        fileprivate var indentation: Trivia {
            Trivia(
                pieces: pieces.reversed().prefix {
                    switch $0 {
                    case .spaces, .tabs: true
                    default: false
                    }
                }.reversed())
        }
    }
#endif

#if Macros
    import SwiftDiagnostics
    import SwiftSyntax

    // Errors in a stored property of the struct.
    extension Diagnostic {
        static func severalNames(_ pattern: PatternSyntax) -> Diagnostic {
            Diagnostic(pattern, "A column has one name: declare each property by itself.")
        }

        static func letWithValue(_ property: Property, _ variable: VariableDeclSyntax) -> Diagnostic {
            let specifier = variable.bindingSpecifier
            return Diagnostic(
                property.name,
                """
                `\(property.bareName)` is a `let` with a value, so no row can give it another one: make it a `var`, \
                or `static`.
                """,
                fixIts: [
                    FixIt("Make it a `var`", specifier, specifier.with(\.tokenKind, .keyword(.var))),
                    .insert("Make it `static`", "static ", before: specifier),
                ])
        }

        static func lazyProperty(_ property: Property, _ modifier: DeclModifierSyntax) -> Diagnostic {
            Diagnostic(
                modifier,
                """
                `\(property.bareName)` is lazy, so reading it would change the item that is being stored: remove \
                `lazy`, or make it computed.
                """,
                fixIts: [.remove("Remove `lazy`", modifier)])
        }

        static func collection(_ property: Property, _ word: String, _ variable: VariableDeclSyntax) -> Diagnostic {
            Diagnostic(
                property.name,
                "`\(property.bareName)` is \(word), which a column stores as JSON text: mark it with @JSON.",
                fixIts: variable.bindings.count == 1 ? [.insert("Mark it with @JSON", "@JSON ", before: variable)] : [])
        }

        static func notStorable(_ property: Property, _ word: String) -> Diagnostic {
            let advice = word == "a tuple" ? ": make it a Codable struct, and mark it with @JSON" : ""
            return Diagnostic(property.name, "`\(property.bareName)` is \(word), which no column can store\(advice).")
        }

        static func sameColumn(_ property: Property, _ other: Property) -> Diagnostic {
            let node = property.columnName.map { Syntax($0.at) } ?? Syntax(property.name)
            let names = property.column == other.column ? "" : ", because SQLite ignores the case of ASCII letters"
            return Diagnostic(
                node,
                "`\(property.bareName)` and `\(other.bareName)` have the same column, \"\(property.column)\"\(names).")
        }
    }

    // Errors in a marker: an attribute, such as `@Key`, that describes the column of a property.
    extension Diagnostic {
        static func marker(_ marker: Marker, on name: String, isStatic: Bool) -> Diagnostic {
            let kind = isStatic ? "static" : "computed"
            return Diagnostic(
                marker.attribute,
                "`\(name)` is \(kind) and has no column, so @\(marker.kind.rawValue) does nothing.",
                fixIts: [.remove(marker.attribute)])
        }

        static func strayMarker(_ attribute: AttributeSyntax) -> Diagnostic {
            Diagnostic(
                attribute,
                "@\(attribute.plainName) does nothing here: it marks a stored property of a struct with @Entity.",
                fixIts: [.remove(attribute)])
        }

        static func sameMarker(_ marker: Marker) -> Diagnostic {
            Diagnostic(
                marker.attribute, "@\(marker.kind.rawValue) is repeated.", fixIts: [.remove(marker.attribute)])
        }

        static func excludedMarkers(_ first: Marker, _ second: Marker, _ reason: String) -> Diagnostic {
            Diagnostic(
                second.attribute, "@\(first.kind.rawValue) and @\(second.kind.rawValue) exclude each other: \(reason).",
                fixIts: [.remove(first.attribute), .remove(second.attribute)])
        }

        static func unknownAttribute(_ attribute: AttributeSyntax) -> Diagnostic {
            Diagnostic(
                attribute,
                """
                @Entity does not know what @\(attribute.plainName) does to a stored property: remove it, or declare \
                the schema by hand.
                """)
        }

        static func conditionalAttribute(_ element: AttributeListSyntax.Element) -> Diagnostic {
            Diagnostic(
                element,
                "@Entity cannot evaluate `#if`, and a column is the same in every build.")
        }

        static func scaleOfOther(_ marker: Marker, _ property: Property, _ type: String) -> Diagnostic {
            Diagnostic(
                marker.attribute,
                "@Scale sets the decimal places of a Decimal, and `\(property.bareName)` is \(type.withArticle).",
                fixIts: [.remove(marker.attribute)])
        }

        static func scaleOutOfRange(_ places: ExprSyntax) -> Diagnostic {
            Diagnostic(places, "A Decimal has 0 to 18 decimal places, not \(places.trimmedDescription).")
        }

        static func nameWithoutLiteral(_ argument: ExprSyntax) -> Diagnostic {
            Diagnostic(argument, "@Entity needs the name as a literal: write it in quotes.")
        }

        static func emptyName(_ argument: ExprSyntax) -> Diagnostic {
            Diagnostic(argument, "A column must have a name.")
        }

        static func computedBeforeOthers(_ property: Property) -> Diagnostic {
            Diagnostic(
                property.name,
                "`\(property.bareName)` is computed by the store: move it after the properties that are not.")
        }

        static func idBesideKey(_ key: Property, _ id: Property) -> Diagnostic {
            Diagnostic(
                key[.key]?.attribute ?? AttributeSyntax("Key"),
                """
                `id` is stored too, and items are found by it: remove @Key here, or rename `id`.
                """)
        }

        static func idInCompositeKey(_ id: Property) -> Diagnostic {
            Diagnostic(
                id.name,
                "`id` is only a part of the key, and the id of an item is the whole key: rename the property.")
        }

        static func optionalKey(_ property: Property) -> Diagnostic {
            Diagnostic(property.name, "`\(property.bareName)` is a key, so it cannot be optional.")
        }

        static func keyWithoutType(_ property: Property) -> Diagnostic {
            Diagnostic(property.name, "`id` gets the type of `\(property.bareName)`: write that type, or declare `id`.")
        }
    }

    extension String {
        /// The text with "a" or "an" before it, unless it already begins with one of these.
        var withArticle: String {
            if hasPrefix("a ") || hasPrefix("an ") { return self }
            return (hasPrefix("Int") ? "an " : "a ") + self
        }
    }
#endif
