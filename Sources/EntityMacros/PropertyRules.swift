#if Macros
    import SwiftDiagnostics
    import SwiftSyntax

    /// The rules for stored properties.
    enum PropertyRules {
        /// Checks the attributes of a declaration, which apply to every property that it declares.
        static func problems(of variable: VariableDeclSyntax, _ markers: [Marker]) -> [Diagnostic] {
            attributes(variable) + pairs(markers)
        }

        static func problems(of property: Property, in variable: VariableDeclSyntax) -> [Diagnostic] {
            declaration(property, variable) + type(property, variable) + scale(property) + name(property)
        }

        private static func declaration(_ property: Property, _ variable: VariableDeclSyntax) -> [Diagnostic] {
            var problems: [Diagnostic] = []
            if let lazy = variable.modifiers.first(where: { $0.name.tokenKind == .keyword(.lazy) }) {
                problems.append(.lazyProperty(property, lazy))
            }
            if variable.bindingSpecifier.tokenKind == .keyword(.let), property.value != nil {
                problems.append(.letWithValue(property, variable))
            }
            return problems
        }

        /// Swift attributes that do not affect how a property is stored.
        private static let harmless: Set = ["available", "usableFromInline", "_spi", "_documentation", "exclusivity"]

        private static func attributes(_ variable: VariableDeclSyntax) -> [Diagnostic] {
            variable.attributes.compactMap { element in
                guard let attribute = element.as(AttributeSyntax.self) else { return .conditionalAttribute(element) }
                if Marker(attribute) != nil || harmless.contains(attribute.plainName) { return nil }
                return .unknownAttribute(attribute)
            }
        }

        private static func pairs(_ markers: [Marker]) -> [Diagnostic] {
            markers.indices.compactMap { index in
                let earlier = markers[..<index]
                if earlier.contains(where: { $0.kind == markers[index].kind }) { return .sameMarker(markers[index]) }
                return earlier.lazy.compactMap { other in
                    other.conflict(with: markers[index]).map { .excludedMarkers(other, markers[index], $0) }
                }.first
            }
        }

        private static func type(_ property: Property, _ variable: VariableDeclSyntax) -> [Diagnostic] {
            guard let (word, isCodable) = property.composite else { return [] }
            if !isCodable { return [.notStorable(property, word)] }
            return property[.json] == nil ? [.collection(property, word, variable)] : []
        }

        private static func scale(_ property: Property) -> [Diagnostic] {
            guard let marker = property[.scale] else { return [] }
            if let name = property.plainlyNotDecimal, property[.json] == nil {
                return [.scaleOfOther(marker, property, name)]
            }
            guard let places = marker.arguments.first?.expression, let value = places.integer, !(0...18).contains(value)
            else { return [] }
            return [.scaleOutOfRange(places)]
        }

        private static func name(_ property: Property) -> [Diagnostic] {
            guard let marker = property[.named], let argument = marker.arguments.first?.expression else { return [] }
            guard let (text, _) = property.columnName else { return [.nameWithoutLiteral(argument)] }
            return text.isEmpty ? [.emptyName(argument)] : []
        }
    }

    extension ExprSyntax {
        /// The value of an integer literal, with or without a minus sign; `nil` for any other expression.
        fileprivate var integer: Int? {
            if let prefix = self.as(PrefixOperatorExprSyntax.self), prefix.operator.text == "-" {
                return prefix.expression.integer.map { -$0 }
            }
            return self.as(IntegerLiteralExprSyntax.self)?.representedLiteralValue
        }
    }
#endif
