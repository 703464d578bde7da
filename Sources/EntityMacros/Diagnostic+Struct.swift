#if Macros
    import SwiftDiagnostics
    import SwiftSyntax

    // What may be wrong with the struct.
    extension Diagnostic {
        static func notAStruct(_ declaration: some DeclGroupSyntax) -> Diagnostic {
            let keyword = declaration.introducer
            let isClass = keyword.tokenKind == .keyword(.class)
            let fix = FixIt("Make it a struct", keyword, keyword.with(\.tokenKind, .keyword(.struct)))
            return Diagnostic(
                keyword, "@Entity is for structs: a row is read into a value.", fixIts: isClass ? [fix] : [])
        }

        static func genericStruct(_ clause: GenericParameterClauseSyntax) -> Diagnostic {
            Diagnostic(clause, "A generic struct cannot be an entity: a table has one set of columns, for one type.")
        }

        static func structInGeneric(_ name: TokenSyntax) -> Diagnostic {
            Diagnostic(name, "A struct in a generic type is generic too, and no table can hold it: declare it outside.")
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
                @Entity cannot know whether these properties are there: a table has the same columns in every build. \
                Move the `#if` inside a computed property, or declare the schema by hand.
                """)
        }

        static func ownInitializer(_ initializer: InitializerDeclSyntax, _ names: [String]) -> Diagnostic {
            let signature = "init(" + names.map { $0 + ":" }.joined() + ")"
            return Diagnostic(
                initializer.initKeyword,
                """
                An initializer in the struct's braces replaces the memberwise one, which a row is read with: move it \
                to an extension, or declare \(signature) here too.
                """)
        }

        static func declaredAlready(_ place: Syntax, _ name: String) -> Diagnostic {
            Diagnostic(place, "`\(name)` is what @Entity declares: remove one of the two.")
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

        static func computedID(_ place: Syntax) -> Diagnostic {
            Diagnostic(place, "`id` is computed: mark the stored property that it returns with @Key.")
        }

        static func setWithoutLiteral(_ expression: ExprSyntax) -> Diagnostic {
            Diagnostic(
                expression, "@Entity reads the sets as text: write names in brackets, as in [[\"title\", \"studio\"]].")
        }

        static func searchWithoutLiteral(_ expression: ExprSyntax) -> Diagnostic {
            Diagnostic(
                expression,
                "@Entity reads what is searched as text: write names in brackets, as in [\"title\", \"summary\"].")
        }

        static func searchOfOther(_ expression: ExprSyntax, _ property: Property, _ type: String) -> Diagnostic {
            Diagnostic(expression, "Words are searched in texts, and `\(property.bareName)` is \(type.withArticle).")
        }

        static func searchedTwice(_ expression: ExprSyntax, _ property: Property) -> Diagnostic {
            Diagnostic(expression, "`\(property.bareName)` is here twice.")
        }

        static func emptySet(_ expression: ExprSyntax) -> Diagnostic {
            Diagnostic(expression, "A set names at least one property.")
        }

        static func noSuchProperty(_ expression: ExprSyntax, _ name: String, _ model: StructReader) -> Diagnostic {
            let near = model.properties.map(\.bareName).first { $0.lowercased() == name.lowercased() }
            let fixIts = near.map {
                [FixIt("Write \"\($0)\"", expression, StringLiteralExprSyntax(content: $0))]
            }
            return Diagnostic(
                expression,
                "`\(model.declaration.name.bareText)` stores no property called `\(name)`.", fixIts: fixIts ?? [])
        }
    }

    extension Trivia {
        /// The spaces and tabs of the last line.
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
