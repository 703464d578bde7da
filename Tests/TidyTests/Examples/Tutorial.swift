import Foundation

/// The steps of the tutorial, in which a reader writes a file or types commands in the terminal.
struct Tutorial {
    enum Step {
        /// The file that the reader writes, and the documentation's file with its text.
        case file(_ name: String, resource: String)
        /// The commands that the reader types, each with its output.
        case terminal([Command], resource: String)
    }

    struct Command: Equatable {
        let line: String
        var output: [String] = []
    }

    static let folder = "Documentation/Tutorials/"

    /// The steps of all pages, in the order in which they are read.
    static func steps() throws -> [Step] {
        try pages().flatMap { page in
            try page.text.matches(shown).map { match in
                let (name, resource) = (match.groups[0], match.groups[1])
                return name == "Terminal"
                    ? .terminal(commands(in: try text(resource)), resource: resource)
                    : .file(name, resource: resource)
            }
        }
    }

    /// The pattern of a shown file; with the previous file, the page marks the lines that are new.
    private static let shown = #"@Code\(name: "([^"]+)", file: "([^"]+)"(?:, previousFile: "[^"]+")?\)"#

    private static func pages() throws -> [TextFile] {
        try (Project.text(folder + "Films.tutorial") ?? "").matches(#"tutorial: "doc:([^"]+)""#).map { match in
            let path = folder + match.groups[0] + ".tutorial"
            return TextFile(path: path, text: try Project.text(path) ?? { throw Missing(name: path) }())
        }
    }

    /// The text of a file that a step shows.
    static func text(_ resource: String) throws -> String {
        try Project.text(folder + "Code/" + resource) ?? { throw Missing(name: resource) }()
    }

    /// The names of all files that steps may show.
    static func resources() -> Set<String> {
        Set(
            Project.files.filter { $0.hasPrefix(folder + "Code/") }.map {
                String($0.dropFirst((folder + "Code/").count))
            })
    }

    static func commands(in text: String) -> [Command] {
        text.split(separator: "\n").map(String.init).reduce(into: []) { commands, line in
            if line.hasPrefix("$ ") {
                commands.append(Command(line: String(line.dropFirst(2))))
            } else if let last = commands.indices.last {
                commands[last].output.append(line)
            }
        }
    }

    struct Missing: Error {
        let name: String
    }
}
