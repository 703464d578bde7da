#if Macros
    import SwiftDiagnostics
    import SwiftSyntax
    import SwiftSyntaxMacros

    /// `@Entity`: writes the conformance of a struct, with the schema that a person would have written.
    ///
    /// It sees text and no types: what only the compiler can know, the compiler says in the expansion.
    struct EntityMacro: ExtensionMacro {
        /// The expansion is laid out here, as a person would.
        static var formatMode: FormatMode { .disabled }

        /// Writes the extension, or says what keeps it from being written.
        static func expansion(
            of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
            providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
            in context: some MacroExpansionContext
        ) throws -> [ExtensionDeclSyntax] {
            guard let declaration = declaration.as(StructDeclSyntax.self) else {
                context.diagnose(.notAStruct(declaration))
                return []
            }
            let reader = StructReader(declaration, lexicalContext: context.lexicalContext)
            let sets = SetReader(node, reader)
            let problems = reader.problems + sets.problems
            guard problems.isEmpty else {
                problems.forEach(context.diagnose)
                return []
            }
            let text = EntityText(
                type: type.trimmedDescription, model: reader, sets: sets, conforms: !protocols.isEmpty)
            return [try ExtensionDeclSyntax("\(raw: text.declaration)")]
        }
    }

    /// The markers of properties: they add nothing themselves, `@Entity` reads them.
    struct MarkerMacro: PeerMacro {
        /// Adds nothing; complains where there is no `@Entity` to read it.
        static func expansion(
            of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
            in context: some MacroExpansionContext
        ) throws -> [DeclSyntax] {
            let attributes = context.lexicalContext.first?.as(StructDeclSyntax.self)?.attributes
            let isOfEntity = attributes?.contains { $0.as(AttributeSyntax.self)?.plainName == "Entity" } ?? false
            if !isOfEntity || !declaration.is(VariableDeclSyntax.self) { context.diagnose(.strayMarker(node)) }
            return []
        }
    }

    extension AttributeSyntax {
        /// The name without a module.
        var plainName: String {
            if let member = attributeName.as(MemberTypeSyntax.self),
                member.baseType.trimmedDescription.hasSuffix("Macros")
            {
                return member.name.text
            }
            return attributeName.trimmedDescription
        }
    }
#endif
