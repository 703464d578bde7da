#if Macros
    import SwiftDiagnostics
    import SwiftSyntax
    import SwiftSyntaxMacros

    /// The implementation of `@Entity`, which writes a struct's conformance and its schema.
    ///
    /// The macro sees syntax, not types. The compiler reports type errors in the code that the macro writes.
    struct EntityMacro: ExtensionMacro {
        /// Disabled, because `EntityText` writes text that is already formatted.
        static var formatMode: FormatMode { .disabled }

        /// Returns the extension; if the struct cannot be an entity, emits diagnostics and returns nothing.
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
            let sets = EntityArguments(node, reader)
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

    /// The implementation of the property markers, such as `@Key`, which add no code but are read by `@Entity`.
    struct MarkerMacro: PeerMacro {
        /// Returns no code; diagnoses a marker that is not on a property of a struct with `@Entity`.
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
        /// The attribute's name without its module.
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
