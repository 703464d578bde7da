#if Macros
    import SwiftDiagnostics
    import SwiftSyntax

    /// What `@Entity` itself says: the table's name, and the sets of columns.
    struct SetReader {
        private(set) var entityName: ExprSyntax?
        private(set) var unique: [[Property]] = []
        private(set) var indexed: [[Property]] = []
        /// The properties in which words are searched.
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
            if let place = model.otherNames["entityName"] { problems.append(.declaredAlready(place, "entityName")) }
            entityName = expression.trimmed
        }

        private mutating func sets(_ expression: ExprSyntax) -> [[Property]] {
            guard let sets = expression.as(ArrayExprSyntax.self) else {
                problems.append(.setWithoutLiteral(expression))
                return []
            }
            return sets.elements.map { set($0.expression) }
        }

        /// The properties of one set, each of which is a text and stands there once.
        private mutating func texts(_ expression: ExprSyntax) -> [Property] {
            guard let set = expression.as(ArrayExprSyntax.self) else {
                problems.append(.searchWithoutLiteral(expression))
                return []
            }
            var texts: [Property] = []
            for element in set.elements {
                guard element.expression.is(StringLiteralExprSyntax.self) else {
                    problems.append(.searchWithoutLiteral(element.expression))
                    continue
                }
                guard let property = property(element.expression) else { continue }
                if let type = property.plainlyNotText {
                    problems.append(.searchOfOther(element.expression, property, type))
                }
                if texts.contains(where: { $0.bareName == property.bareName }) {
                    problems.append(.searchedTwice(element.expression, property))
                }
                texts.append(property)
            }
            return texts
        }

        private mutating func set(_ expression: ExprSyntax) -> [Property] {
            guard let set = expression.as(ArrayExprSyntax.self) else {
                problems.append(.setWithoutLiteral(expression))
                return []
            }
            if set.elements.isEmpty { problems.append(.emptySet(set)) }
            return set.elements.compactMap { property($0.expression) }
        }

        /// The property that a literal names, in the braces.
        private mutating func property(_ expression: ExprSyntax) -> Property? {
            guard let name = expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue else {
                problems.append(.setWithoutLiteral(expression))
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
