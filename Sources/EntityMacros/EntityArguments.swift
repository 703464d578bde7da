#if Macros
    import SwiftDiagnostics
    import SwiftSyntax

    /// The arguments of `@Entity`: the table's name, and the columns that are unique, indexed or searched together.
    struct EntityArguments {
        private(set) var entityName: ExprSyntax?
        private(set) var unique: [[Property]] = []
        private(set) var indexed: [[Property]] = []
        /// The properties that full-text search covers.
        private(set) var search: [Property] = []
        private(set) var problems: [Diagnostic] = []
        private let model: StructReader

        init(_ node: AttributeSyntax, _ model: StructReader) {
            self.model = model
            guard case .argumentList(let arguments) = node.arguments else { return }
            for argument in arguments {
                switch argument.label?.text {
                case "unique": unique = sets(argument.expression)
                case "indexed": indexed = sets(argument.expression)
                case "search": search = texts(argument.expression)
                default: readName(argument.expression)
                }
            }
        }

        private mutating func readName(_ expression: ExprSyntax) {
            if expression.is(NilLiteralExprSyntax.self) { return }
            if let node = model.otherNames["entityName"] { problems.append(.declaredAlready(node, "entityName")) }
            entityName = expression.trimmed
        }

        private mutating func sets(_ expression: ExprSyntax) -> [[Property]] {
            elements(of: expression, otherwise: Diagnostic.setWithoutLiteral)?.map { set($0) } ?? []
        }

        private mutating func set(_ expression: ExprSyntax) -> [Property] {
            guard let elements = elements(of: expression, otherwise: Diagnostic.setWithoutLiteral) else { return [] }
            if elements.isEmpty { problems.append(.emptySet(expression)) }
            return elements.compactMap { property($0, otherwise: Diagnostic.setWithoutLiteral) }
        }

        /// Returns the properties that `search:` lists; reports a property that is not text or is listed twice.
        private mutating func texts(_ expression: ExprSyntax) -> [Property] {
            var texts: [Property] = []
            for element in elements(of: expression, otherwise: Diagnostic.searchWithoutLiteral) ?? [] {
                guard let property = property(element, otherwise: Diagnostic.searchWithoutLiteral) else { continue }
                if let type = property.plainlyNotText { problems.append(.searchOfOther(element, property, type)) }
                if texts.contains(where: { $0.bareName == property.bareName }) {
                    problems.append(.searchedTwice(element, property))
                }
                texts.append(property)
            }
            return texts
        }

        /// Returns the elements of an array literal; reports any other expression as an error.
        private mutating func elements(
            of expression: ExprSyntax, otherwise problem: (ExprSyntax) -> Diagnostic
        ) -> [ExprSyntax]? {
            guard let array = expression.as(ArrayExprSyntax.self) else {
                problems.append(problem(expression))
                return nil
            }
            return array.elements.map(\.expression)
        }

        /// Returns the stored property that a string literal names; reports an unknown name and any other expression.
        private mutating func property(
            _ expression: ExprSyntax, otherwise problem: (ExprSyntax) -> Diagnostic
        ) -> Property? {
            guard let name = expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue else {
                problems.append(problem(expression))
                return nil
            }
            guard let property = model.properties.first(where: { $0.bareName == name }) else {
                problems.append(.noSuchProperty(expression, name, model))
                return nil
            }
            return property
        }
    }
#endif
