/// A folder is one idea, and uses only folders below it.
///
/// The rule finds uses by name: the types of other folders, and the functions, initializers and properties that other
/// folders add to types from below. If several folders declare a name, the first label of the call decides.
enum RoomRules {
    /// A module and its folders, from the lowest layer up; "" is the module's own folder.
    struct House {
        let path: String
        let rooms: [String]
        /// Folders that use each other, and so are one layer.
        var together: Set<String> = []

        /// The folder that a file is in.
        func room(of path: String) -> String? {
            guard path.hasPrefix(self.path) else { return nil }
            return path.dropFirst(self.path.count).split(separator: "/").dropLast().first.map(String.init) ?? ""
        }

        /// The layer of a folder.
        func floor(_ room: String) -> Int? {
            rooms.firstIndex { $0 == room || together.contains($0) && together.contains(room) }
        }
    }

    static let core = House(
        path: LayeringRules.core,
        rooms: [
            "Rows", "Errors", "Model", "Query", "SQL", "Transactions", "Schema", "Commits", "Delivery", "Lists", "Live",
            "Changes", "Running", "", "Endpoints",
        ], together: ["Rows", "Errors"])

    /// The internals of the operators: an engine uses kernels, and a kernel uses tools.
    static let streams = House(path: "Sources/Signals/Internal/", rooms: ["Tools", "Kernels", "Engines"])

    /// One use of a folder by another.
    struct Use: Hashable {
        let room: String
        let used: String
        let path: String
        let line: Int
        let name: String
    }

    /// Every use of a folder by another one.
    static func uses(in house: House, _ sources: [SwiftSource]) -> [Use] {
        let files = sources.compactMap { source in house.room(of: source.path).map { (room: $0, source: source) } }
        let homes = Homes(house, files)
        return files.flatMap { room, source in
            let nested = Set(source.outline.declarations.filter { !$0.isMember }.map(\.name))
            return source.code.matches(#"(\.\s*)?\b([A-Za-z_]\w*)(\(|<)?(?:\s*(\w+):)?"#).flatMap { match -> [Use] in
                let (name, label) = (match.groups[1], match.groups[2] == "(" ? match.groups[3] : "")
                let isType = name.first?.isUppercase == true && match.groups[0].isEmpty && !nested.contains(name)
                let isMember = !match.groups[0].isEmpty || !match.groups[2].isEmpty
                let found =
                    isType
                    ? [homes.types[name], homes.initializer(name, label)] : [isMember ? homes.member(name, label) : nil]
                return found.compactMap { home in
                    guard let home, home != room else { return nil }
                    return Use(room: room, used: home, path: source.path, line: match.line, name: name)
                }
            }
        }
    }

    static func arrows(_ house: House, _ sources: [SwiftSource]) -> [Violation] {
        let unknownTables = Set(sources.compactMap { house.room(of: $0.path) }).subtracting(house.rooms)
        let unknown = unknownTables.sorted().map {
            Violation(path: house.path + $0, line: 1, sentence: "The folder is not in the list of RoomRules.")
        }
        let upwards = uses(in: house, sources).filter { use in
            guard let from = house.floor(use.room), let to = house.floor(use.used) else { return false }
            return to > from
        }
        return unknown
            + upwards.map {
                Violation(
                    path: $0.path, line: $0.line,
                    sentence: "\(name($0.room)) uses `\($0.name)` of \(name($0.used)), which is above it.")
            }
    }

    /// The folders that each folder uses, in a line for each.
    static func table(_ house: House, _ sources: [SwiftSource]) -> [String] {
        let uses = Dictionary(grouping: uses(in: house, sources), by: \.room)
        return house.rooms.reversed().map { room in
            let counts = Dictionary(grouping: uses[room] ?? [], by: \.used).mapValues { Set($0.map(\.path)).count }
            let others = house.rooms.filter { counts[$0] != nil }.map { "\(name($0)) \(counts[$0] ?? 0)" }
            return "\(name(room)) → " + (others.isEmpty ? "nothing" : others.joined(separator: ", "))
        }
    }

    private static func name(_ room: String) -> String { room.isEmpty ? "the root" : room }

    /// The folders in which names are declared.
    private struct Homes {
        private(set) var types: [String: String] = [:]
        /// The folders that declare an initializer of a type, by the type and the first label.
        private var initializers: [String: Set<String>] = [:]
        /// The folders that add a member of this name to a type from below, and all that declare one.
        private var added: [String: Set<String>] = [:]
        private var declared: [String: Set<String>] = [:]
        private let house: House

        init(_ house: House, _ files: [(room: String, source: SwiftSource)]) {
            self.house = house
            for (room, source) in files {
                for declaration in source.outline.declarations where declaration.container.isEmpty {
                    let isType = !declaration.isMember && declaration.keyword != "extension"
                    if isType || declaration.keyword == "typealias" { types[declaration.name] = room }
                }
            }
            for (room, source) in files {
                // A case looks like a member where it is used.
                let cases = source.code.matches(#"\bcase\s+(\w+(?:\s*,\s*\w+)*)"#).flatMap { match in
                    match.groups[0].split { !$0.isLetter && !$0.isNumber }.map(String.init)
                }
                for name in cases { declared[name, default: []].insert(room) }
                for declaration in source.outline.declarations where declaration.isMember && !declaration.isLocal {
                    note(declaration, in: room)
                }
            }
        }

        private mutating func note(_ declaration: Outline.Declaration, in room: String) {
            let isOpen = declaration.modifiers.isDisjoint(with: ["private", "fileprivate"])
            let label = declaration.labels.first ?? ""
            switch declaration.keyword {
            case "deinit", "subscript": return
            case "init":
                guard let type = declaration.container.last, label != "_", !label.isEmpty else { return }
                initializers["\(type)(\(label):", default: []].insert(room)
            default:
                let names = [declaration.name] + (declaration.labels.isEmpty ? [] : ["\(declaration.name)(\(label):"])
                for name in names { declared[name, default: []].insert(room) }
                guard let type = declaration.container.first, let home = types[type], home != room, isOpen else {
                    return
                }
                for name in names { added[name, default: []].insert(room) }
            }
        }

        /// The only folder that declares an initializer of a type with this first label, if there is one.
        func initializer(_ type: String, _ label: String) -> String? {
            guard !label.isEmpty, let rooms = initializers["\(type)(\(label):"], rooms.count == 1 else { return nil }
            return rooms.first
        }

        /// The only folder that declares a member of this name, or of this name with this first label, if there is one.
        func member(_ name: String, _ label: String) -> String? {
            // `joined` is also a method of arrays, `each` a keyword, and the others are also parts of tuples.
            let others = ["answer", "each", "joined", "names"]
            // Without a label it may be a case or a property of another type.
            let names = label.isEmpty ? [name] : [name, "\(name)(\(label):"]
            for name in names where !others.contains(name) && added[name] != nil {
                if let rooms = declared[name], rooms.count == 1 { return rooms.first }
            }
            return nil
        }
    }
}
