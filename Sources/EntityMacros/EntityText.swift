#if Macros
    import SwiftSyntax

    /// The source text of the extension that `@Entity` writes.
    struct EntityText {
        /// The name of the struct, qualified with its enclosing types.
        let type: String
        let model: StructReader
        let sets: EntityArguments
        /// Whether the extension declares the conformance to `Entity`.
        let conforms: Bool

        private static let columns = 120

        var declaration: String {
            let members = [entityName, id].compactMap { $0.map { "    \(model.access)\($0)\n" } }
            let gap = members.isEmpty ? "" : "\n"
            return """
                extension \(type)\(conforms ? ": Entity" : "") {
                \(members.joined())\(gap)\(schema)
                }
                """
        }

        private var entityName: String? { sets.entityName.map { "static let entityName = \($0)" } }

        /// The declaration of a computed `id`, made from the `@Key` properties; `nil` if the struct declares `id`
        /// itself.
        private var id: String? {
            guard !model.keys.isEmpty, model.id == nil, model.otherNames["id"] == nil else { return nil }
            let types = model.keys.compactMap { $0.type?.description }.joined(separator: ", ")
            let names = model.keys.map(\.name.text).joined(separator: ", ")
            return isComposite
                ? "var id: CompositeKey<\(types)> { CompositeKey(\(names)) }" : "var id: \(types) { \(names) }"
        }

        private var isComposite: Bool { model.keys.count > 1 }

        private var schema: String {
            """
            \(head)
            \(model.properties.map { "        " + column($0) + "\n" }.joined())\
                } decode: { row in
            \(decoding)
                }
            """
        }

        /// The beginning of the schema's declaration: one line, or several if the arguments do not fit on one line.
        private var head: String {
            let start = "    \(model.access)static let schema = Schema<\(type)>"
            if arguments.isEmpty { return start + " {" }
            let line = "\(start)(\(arguments.joined(separator: ", "))) {"
            if line.count <= Self.columns { return line }
            return "\(start)(\n        " + arguments.joined(separator: ",\n        ") + "\n    ) {"
        }

        private var arguments: [String] {
            let key = isComposite ? "key: " + paths(model.keys) : nil
            let unique = sets.unique.isEmpty ? nil : "unique: [" + sets.unique.map(paths).joined(separator: ", ") + "]"
            let indexed =
                sets.indexed.isEmpty ? nil : "indexed: [" + sets.indexed.map(paths).joined(separator: ", ") + "]"
            let search = sets.search.isEmpty ? nil : "search: " + paths(sets.search)
            let clauses = model.hasClauses ? "clauses: clauses" : nil
            return [key, unique, indexed, search, clauses].compactMap { $0 }
        }

        private func paths(_ properties: [Property]) -> String {
            "[" + properties.map(\.path).joined(separator: ", ") + "]"
        }

        private func column(_ property: Property) -> String {
            // `@Computed` comes last, because `computedBy:` is the last argument of `Column`.
            let markers = property.markers.filter { $0.kind != .computed } + [property[.computed]].compactMap { $0 }
            var options = markers.compactMap { isComposite && $0.kind == .key ? nil : $0.option }
            // By default, only a column named "id" is the key, so an `id` with another column name needs `.key`.
            if property.bareName == "id", property.column != "id", property[.key] == nil {
                options.insert(".key", at: 0)
            }
            let path = (property[.json] == nil ? "" : "json: ") + property.path
            let name = StringLiteralExprSyntax(content: property.column).description
            return "Column(" + ([name, path] + options).joined(separator: ", ") + ")"
        }

        /// The call of the struct's initializer, split over lines of at most 120 columns.
        private var decoding: String {
            let values = model.properties.map { "\($0.label): row.next()" }
            let line = "        try \(type)(" + values.joined(separator: ", ") + ")"
            if line.count <= Self.columns { return line }
            var lines = ["        try \(type)("]
            var last = "           "
            for (index, value) in values.enumerated() {
                let word = " " + value + (index == values.count - 1 ? ")" : ",")
                if last.count + word.count > Self.columns {
                    lines.append(last)
                    last = "           "
                }
                last += word
            }
            return (lines + [last]).joined(separator: "\n")
        }
    }
#endif
