/// The declarations of a Swift file, read from its code view, with their containers and the lines of their bodies.
struct Outline: Sendable {
    struct Declaration: Equatable, Sendable {
        let keyword: String
        let name: String
        let modifiers: Set<String>
        /// The names of the types around it, outermost first; an extension counts as the type that it extends.
        let container: [String]
        /// Whether it is declared in a function or an accessor.
        let isLocal: Bool
        /// The line of the keyword, counted from 1.
        let line: Int
        /// The line of the opening brace; `line` where there is no body.
        var bodyLine: Int
        /// The line of the closing brace; `line` where there is no body.
        var lastLine: Int
        /// The labels of a function's parameters, `_` for none.
        var labels: [String] = []

        /// The lines from the opening to the closing brace, both included.
        var bodyLineCount: Int { lastLine - bodyLine + 1 }
        /// Whether it is a function, a property or the like, rather than a type.
        var isMember: Bool { !Outline.types.contains(keyword) }
        var isPublic: Bool { modifiers.contains("public") || modifiers.contains("open") }
        /// A function's full name, such as `read(_:id:)`.
        var signature: String { name + "(" + labels.map { $0 + ":" }.joined() + ")" }
    }

    private(set) var declarations: [Declaration] = []

    private let tokens: [Token]
    private var index = 0
    private var parentheses = 0
    /// The open braces; each with the declaration whose body it opened, if any.
    private var braces: [Int?] = []
    /// A declaration whose body may still open, at this depth of parentheses.
    private var pending: (declaration: Int, parentheses: Int)?

    init(code: String) {
        tokens = Token.tokens(of: code)
        while index < tokens.count {
            step(tokens[index])
            index += 1
        }
    }

    private mutating func step(_ token: Token) {
        switch token.text {
        case "(", "[": parentheses += 1
        case ")", "]": parentheses -= 1
        case "{": openBrace()
        case "}": closeBrace(line: token.line)
        case ";": pending = nil
        case "=":
            if let pending, pending.parentheses == parentheses, declarations[pending.declaration].keyword == "var" {
                self.pending = nil
            }
        default:
            if isDeclarationKeyword(token) { declare(token) }
        }
    }

    private mutating func openBrace() {
        if let pending, pending.parentheses == parentheses {
            braces.append(pending.declaration)
            declarations[pending.declaration].bodyLine = tokens[index].line
            self.pending = nil
        } else {
            braces.append(nil)
        }
    }

    private mutating func closeBrace(line: Int) {
        if let pending, pending.parentheses >= parentheses { self.pending = nil }
        if let owner = braces.popLast(), let owner { declarations[owner].lastLine = line }
    }

    private func isDeclarationKeyword(_ token: Token) -> Bool {
        guard Self.keywords.contains(token.text), index + 1 < tokens.count else { return false }
        let next = tokens[index + 1]
        if index > 0, [".", "(", ",", ":", "&"].contains(tokens[index - 1].text) { return false }
        switch token.text {
        case "func", "init", "deinit", "subscript": return true
        default: return next.isWord && !Self.keywords.contains(next.text) && !Self.modifiers.contains(next.text)
        }
    }

    private mutating func declare(_ token: Token) {
        let owners = braces.compactMap { $0 }.map { declarations[$0] }
        var declaration = Declaration(
            keyword: token.text, name: name(after: token), modifiers: modifiersBefore(index),
            container: owners.filter { Self.types.contains($0.keyword) }.map(\.name),
            isLocal: braces.contains { owner in owner.map { !Self.types.contains(declarations[$0].keyword) } ?? true },
            line: token.line, bodyLine: token.line, lastLine: token.line)
        if token.text == "func" || token.text == "init" { declaration.labels = labels() }
        declarations.append(declaration)
        pending = (declarations.count - 1, parentheses)
    }

    private func name(after token: Token) -> String {
        switch token.text {
        case "init", "deinit", "subscript": return token.text
        case "func": return Token.joined(tokens[(index + 1)...].prefix { $0.text != "(" && $0.text != "<" })
        default: return typeName(from: index + 1)
        }
    }

    /// Reads `Signal` or `Signal.Grammar`, and stops before a `where`.
    private func typeName(from start: Int) -> String {
        var end = start + 1
        while end + 1 < tokens.count, tokens[end].text == "." { end += 2 }
        return Token.joined(tokens[start..<end])
    }

    private func modifiersBefore(_ index: Int) -> Set<String> {
        var found: Set<String> = []
        var at = index - 1
        while at >= 0 {
            if Self.modifiers.contains(tokens[at].text) {
                found.insert(tokens[at].text)
                at -= 1
            } else if tokens[at].text == ")", at >= 3, Self.modifiers.contains(tokens[at - 3].text) {
                at -= 3  // private(set), nonisolated(unsafe)
            } else {
                break
            }
        }
        return found
    }

    /// The first word of each parameter between the parentheses that follow the name.
    private func labels() -> [String] {
        guard let opening = tokens[index...].firstIndex(where: { $0.text == "(" }) else { return [] }
        var labels: [String] = []
        var depth = 0
        var startsParameter = true
        var isAttribute = false
        for token in tokens[opening...] {
            switch token.text {
            case "@" where startsParameter && depth == 1: isAttribute = true
            case _ where isAttribute: isAttribute = false
            case "(", "[", "{", "<": depth += 1
            case ")", "]", "}", ">": depth -= 1
            case "," where depth == 1: startsParameter = true
            default:
                if startsParameter, depth == 1 {
                    labels.append(token.text)
                    startsParameter = false
                }
            }
            if depth == 0 { break }
        }
        return labels
    }

    private static let types: Set = ["struct", "class", "enum", "protocol", "actor", "extension"]
    private static let keywords = types.union(["func", "init", "deinit", "subscript", "var", "typealias"])
    private static let modifiers: Set = [
        "public", "open", "package", "internal", "fileprivate", "private", "static", "class", "final", "mutating",
        "nonmutating", "override", "required", "convenience", "indirect", "lazy", "weak", "unowned", "nonisolated",
        "consuming", "borrowing", "prefix", "postfix", "infix", "dynamic",
    ]
}
