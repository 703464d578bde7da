#if Macros
    import SwiftSyntax

    /// A stored property, which becomes a column.
    struct Property {
        /// The name as the source spells it, with any backticks.
        let name: TokenSyntax
        let type: TypeSyntax?
        let value: ExprSyntax?
        let markers: [Marker]

        /// The name of the property, without backticks.
        var bareName: String { name.bareText }

        /// The name as an argument label, in backticks only if Swift requires them in a label.
        var label: String { name.text(bareUnless: ["inout", "let", "var"]) }

        /// A key path to the property, such as `\.title`, with backticks only if Swift requires them in a key path.
        var path: String { "\\." + name.text(bareUnless: ["self", "init", "Type", "Protocol"]) }

        /// The name of the column.
        var column: String { columnName?.text ?? bareName }

        /// The string literal in `@Named`, as text and as an expression, or `nil` if it is missing.
        var columnName: (text: String, at: ExprSyntax)? {
            guard let argument = self[.named]?.arguments.first?.expression,
                let text = argument.as(StringLiteralExprSyntax.self)?.representedLiteralValue
            else { return nil }
            return (text, argument)
        }

        subscript(_ kind: Marker.Kind) -> Marker? { markers.first { $0.kind == kind } }

        /// Whether the type is written as an optional.
        var isOptional: Bool { type?.wrappedType != nil }

        /// The kind of type, such as "an array", if the syntax shows that no column can store it directly; otherwise
        /// `nil`.
        var composite: (word: String, isCodable: Bool)? {
            if let type { return Self.composite(type) }
            guard let value else { return nil }
            if value.is(ArrayExprSyntax.self) { return ("an array", true) }
            if value.is(DictionaryExprSyntax.self) { return ("a dictionary", true) }
            if let tuple = value.as(TupleExprSyntax.self), tuple.elements.count > 1 { return ("a tuple", false) }
            if value.is(ClosureExprSyntax.self) { return ("a function", false) }
            return nil
        }

        private static func composite(_ type: TypeSyntax) -> (word: String, isCodable: Bool)? {
            if type.is(ArrayTypeSyntax.self) || type.is(InlineArrayTypeSyntax.self) { return ("an array", true) }
            if type.is(DictionaryTypeSyntax.self) { return ("a dictionary", true) }
            if type.is(FunctionTypeSyntax.self) { return ("a function", false) }
            if let tuple = type.as(TupleTypeSyntax.self) {
                return tuple.elements.count == 1
                    ? tuple.elements.first.flatMap { composite($0.type) } : ("a tuple", false)
            }
            if let attributed = type.as(AttributedTypeSyntax.self) { return composite(attributed.baseType) }
            if let optional = type.wrappedType { return composite(optional) }
            switch type.plainName {
            case "Array", "ContiguousArray", "ArraySlice": return ("an array", true)
            case "Dictionary": return ("a dictionary", true)
            case "Set": return ("a set", true)
            default: return nil
            }
        }

        /// The name of the type, or of the default value's type, if the syntax shows a type other than `Decimal`;
        /// otherwise `nil`.
        var plainlyNotDecimal: String? {
            if let type {
                guard let name = (type.wrappedType ?? type).plainName else { return composite?.word }
                return Self.plainTypes.contains(name) ? name : composite?.word
            }
            guard let value else { return nil }
            if value.is(IntegerLiteralExprSyntax.self) { return "Int" }
            if value.is(FloatLiteralExprSyntax.self) { return "Double" }
            if value.is(StringLiteralExprSyntax.self) { return "String" }
            if value.is(BooleanLiteralExprSyntax.self) { return "Bool" }
            return composite?.word
        }

        /// The name of the type, or of the default value's type, if the syntax shows that the column is not text;
        /// otherwise `nil`.
        var plainlyNotText: String? {
            guard self[.json] == nil, let name = plainlyNotDecimal ?? (isDecimal ? "Decimal" : nil) else { return nil }
            return ["String", "Character", "URL"].contains(name) ? nil : name
        }

        private var isDecimal: Bool { type.flatMap { ($0.wrappedType ?? $0).plainName } == "Decimal" }

        private static let plainTypes: Set = [
            "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double", "Float",
            "Bool", "String", "Character", "Date", "UUID", "URL", "Data",
        ]
    }

    extension TypeSyntax {
        /// The type that an optional wraps; `nil` if this type is not written as an optional.
        fileprivate var wrappedType: TypeSyntax? {
            if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType }
            guard plainName == "Optional" else { return nil }
            let arguments =
                self.as(IdentifierTypeSyntax.self)?.genericArgumentClause
                ?? self.as(MemberTypeSyntax.self)?.genericArgumentClause
            guard case .type(let type) = arguments?.arguments.first?.argument else { return nil }
            return type
        }

        /// The type's name without `Swift.` or `Foundation.`; `nil` if the type has another qualifier, or no name.
        fileprivate var plainName: String? {
            if let identifier = self.as(IdentifierTypeSyntax.self) { return identifier.name.text }
            guard let member = self.as(MemberTypeSyntax.self),
                ["Swift", "Foundation"].contains(member.baseType.trimmedDescription)
            else { return nil }
            return member.name.text
        }
    }

    extension TokenSyntax {
        /// The text without backticks.
        var bareText: String { identifier?.name ?? text }

        /// Returns the text without backticks, or as written if it is one of `words` or not a plain identifier.
        fileprivate func text(bareUnless words: Set<String>) -> String {
            let bare = bareText
            let isPlain = bare.unicodeScalars.allSatisfy {
                !$0.isASCII || $0 == "_" || $0.properties.isAlphabetic || ("0"..."9").contains($0)
            }
            return isPlain && !words.contains(bare) ? bare : text
        }
    }
#endif
