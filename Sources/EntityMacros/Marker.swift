#if Macros
    import SwiftSyntax

    /// An attribute, such as `@Key`, that describes the column of a property.
    struct Marker {
        enum Kind: String {
            case key = "Key"
            case indexed = "Indexed"
            case unique = "Unique"
            case defaultValue = "Default"
            case scale = "Scale"
            case dimensions = "Dimensions"
            case references = "References"
            case json = "JSON"
            case named = "Named"
            case generated = "Generated"
            case created = "Created"
            case updated = "Updated"
            case computed = "Computed"
        }

        let kind: Kind
        let attribute: AttributeSyntax

        /// Reads an attribute; returns `nil` if the attribute is not a marker.
        init?(_ attribute: AttributeSyntax) {
            guard let kind = Kind(rawValue: attribute.plainName) else { return nil }
            self.kind = kind
            self.attribute = attribute
        }

        var arguments: LabeledExprListSyntax {
            guard case .argumentList(let arguments) = attribute.arguments else { return [] }
            return arguments
        }

        /// The argument that the marker adds to `Column(…)`, as source text; `nil` for `@JSON` and `@Named`, which
        /// change other arguments.
        var option: String? {
            let name = "." + kind.rawValue.lowercased()
            switch kind {
            case .key, .indexed, .unique, .generated, .created, .updated: return name
            case .defaultValue, .scale, .dimensions, .references: return "\(name)(\(arguments.trimmedDescription))"
            case .computed: return "computedBy: \(arguments.trimmedDescription)"
            case .json, .named: return nil
            }
        }

        /// Returns the reason why one property cannot have this marker and `other`; `nil` if the two are compatible.
        func conflict(with other: Marker) -> String? {
            let fixed: Set<Kind> = [.key, .references, .defaultValue, .generated, .created, .updated, .json]
            for (one, another) in [(self, other), (other, self)] where one.kind == .computed {
                if fixed.contains(another.kind) { return "the store computes the value from the item's other values" }
            }
            return switch Set([kind, other.kind]) {
            case [.json, .scale]: "JSON text has no decimal places"
            case [.json, .dimensions]: "JSON text has no dimensions"
            case [.json, .references]: "a reference is an id, which is stored as it is"
            case [.json, .key]: "a key is stored as it is"
            case [.json, .generated], [.json, .created], [.json, .updated]: "the store does not write JSON by itself"
            case [.created, .updated]: "one is the time of the first write, the other of the last"
            case [.generated, .created], [.generated, .updated]: "a column gets its value from one of them"
            default: nil
            }
        }
    }
#endif
