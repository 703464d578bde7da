/// A folder is one idea, and uses only folders below it.
///
/// The rule finds uses by name: the types of other folders, and the functions, initializers and properties that other
/// folders add to types from below. If several folders declare a name, the first label of the call decides.
enum LayerRules {
    /// A module and its folders, from the lowest layer up; "" is the module's own folder.
    struct Module {
        let path: String
        let folders: [String]
        /// Folders that use each other, and so are one layer.
        var together: Set<String> = []

        /// The folder that a file is in.
        func folder(of path: String) -> String? {
            guard path.hasPrefix(self.path) else { return nil }
            return path.dropFirst(self.path.count).split(separator: "/").dropLast().first.map(String.init) ?? ""
        }

        /// The layer of a folder.
        func layer(_ folder: String) -> Int? {
            folders.firstIndex { $0 == folder || together.contains($0) && together.contains(folder) }
        }
    }

    static let core = Module(
        path: LayeringRules.core,
        folders: [
            "Rows", "Errors", "Model", "Query", "SQL", "Transactions", "Schema", "Commits", "Delivery", "Lists", "Live",
            "Changes", "Running", "", "Endpoints",
        ], together: ["Rows", "Errors"])

    /// The internals of the operators: an engine uses kernels, and a kernel uses tools.
    static let streams = Module(path: "Sources/Signals/Internal/", folders: ["Tools", "Kernels", "Engines"])

    /// One use of a folder by another.
    struct Use: Hashable {
        let folder: String
        let used: String
        let path: String
        let line: Int
        let name: String
    }

    /// Every use of a folder by another one.
    static func uses(in module: Module, _ sources: [SwiftSource]) -> [Use] {
        let files = sources.compactMap { source in module.folder(of: source.path).map { (folder: $0, source: source) } }
        let homes = Homes(module, files)
        return files.flatMap { folder, source in
            let nested = Set(source.outline.declarations.filter { !$0.isMember }.map(\.name))
            return source.code.matches(#"(\.\s*)?\b([A-Za-z_]\w*)(\(|<)?(?:\s*(\w+):)?"#).flatMap { match -> [Use] in
                let (name, label) = (match.groups[1], match.groups[2] == "(" ? match.groups[3] : "")
                let isType = name.first?.isUppercase == true && match.groups[0].isEmpty && !nested.contains(name)
                let isMember = !match.groups[0].isEmpty || !match.groups[2].isEmpty
                let found =
                    isType
                    ? [homes.types[name], homes.initializer(name, label)] : [isMember ? homes.member(name, label) : nil]
                return found.compactMap { home in
                    guard let home, home != folder else { return nil }
                    return Use(folder: folder, used: home, path: source.path, line: match.line, name: name)
                }
            }
        }
    }

    static func arrows(_ module: Module, _ sources: [SwiftSource]) -> [Violation] {
        let unknownTables = Set(sources.compactMap { module.folder(of: $0.path) }).subtracting(module.folders)
        let unknown = unknownTables.sorted().map {
            Violation(path: module.path + $0, line: 1, sentence: "The folder is not in the list of LayerRules.")
        }
        let upwards = uses(in: module, sources).filter { use in
            guard let from = module.layer(use.folder), let to = module.layer(use.used) else { return false }
            return to > from
        }
        return unknown
            + upwards.map {
                Violation(
                    path: $0.path, line: $0.line,
                    sentence: "\(name($0.folder)) uses `\($0.name)` of \(name($0.used)), which is above it.")
            }
    }

    /// The folders that each folder uses, in a line for each.
    static func table(_ module: Module, _ sources: [SwiftSource]) -> [String] {
        let uses = Dictionary(grouping: uses(in: module, sources), by: \.folder)
        return module.folders.reversed().map { folder in
            let counts = Dictionary(grouping: uses[folder] ?? [], by: \.used).mapValues { Set($0.map(\.path)).count }
            let others = module.folders.filter { counts[$0] != nil }.map { "\(name($0)) \(counts[$0] ?? 0)" }
            return "\(name(folder)) → " + (others.isEmpty ? "nothing" : others.joined(separator: ", "))
        }
    }

    private static func name(_ folder: String) -> String { folder.isEmpty ? "the root" : folder }

    /// The folders in which names are declared.
    private struct Homes {
        private(set) var types: [String: String] = [:]
        /// The folders that declare an initializer of a type, by the type and the first label.
        private var initializers: [String: Set<String>] = [:]
        /// The folders that add a member of this name to a type from below, and all that declare one.
        private var added: [String: Set<String>] = [:]
        private var declared: [String: Set<String>] = [:]
        private let module: Module

        init(_ module: Module, _ files: [(folder: String, source: SwiftSource)]) {
            self.module = module
            for (folder, source) in files {
                for declaration in source.outline.declarations where declaration.container.isEmpty {
                    let isType = !declaration.isMember && declaration.keyword != "extension"
                    if isType || declaration.keyword == "typealias" { types[declaration.name] = folder }
                }
            }
            for (folder, source) in files {
                // A case looks like a member where it is used.
                let cases = source.code.matches(#"\bcase\s+(\w+(?:\s*,\s*\w+)*)"#).flatMap { match in
                    match.groups[0].split { !$0.isLetter && !$0.isNumber }.map(String.init)
                }
                for name in cases { declared[name, default: []].insert(folder) }
                for declaration in source.outline.declarations where declaration.isMember && !declaration.isLocal {
                    note(declaration, in: folder)
                }
            }
        }

        private mutating func note(_ declaration: Outline.Declaration, in folder: String) {
            let isOpen = declaration.modifiers.isDisjoint(with: ["private", "fileprivate"])
            let label = declaration.labels.first ?? ""
            switch declaration.keyword {
            case "deinit", "subscript": return
            case "init":
                guard let type = declaration.container.last, label != "_", !label.isEmpty else { return }
                initializers["\(type)(\(label):", default: []].insert(folder)
            default:
                let names = [declaration.name] + (declaration.labels.isEmpty ? [] : ["\(declaration.name)(\(label):"])
                for name in names { declared[name, default: []].insert(folder) }
                guard let type = declaration.container.first, let home = types[type], home != folder, isOpen else {
                    return
                }
                for name in names { added[name, default: []].insert(folder) }
            }
        }

        /// The only folder that declares an initializer of a type with this first label, if there is one.
        func initializer(_ type: String, _ label: String) -> String? {
            guard !label.isEmpty, let folders = initializers["\(type)(\(label):"], folders.count == 1 else {
                return nil
            }
            return folders.first
        }

        /// The only folder that declares a member of this name, or of this name with this first label, if there is one.
        func member(_ name: String, _ label: String) -> String? {
            // `joined` is also a method of arrays, `each` a keyword, and the others are also parts of tuples.
            let others = ["answer", "each", "joined", "names"]
            // Without a label it may be a case or a property of another type.
            let names = label.isEmpty ? [name] : [name, "\(name)(\(label):"]
            for name in names where !others.contains(name) && added[name] != nil {
                if let folders = declared[name], folders.count == 1 { return folders.first }
            }
            return nil
        }
    }
}
