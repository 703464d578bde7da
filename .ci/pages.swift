import Foundation

/// Makes the pages of the documentation's site from the documents of the repository.
///
/// Each link becomes a link to a page, a heading, a symbol or a copied file; if it cannot, that is an error.
///
///     pages guides CATALOG ARCHIVES  writes every document as an article
///     pages catalog CATALOG          rewrites the links of a product's own pages
///     pages finish SITE              copies the linked files, and checks every link of the site
@main struct Pages {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count >= 2 else { throw Problem(lines: ["pages guides|catalog|finish FOLDER"]) }
        let folder = arguments[arguments.startIndex + 1]
        do {
            switch arguments.first {
            case "guides": try Guides(symbols: Symbols(archives: arguments.last ?? "")).write(to: folder)
            case "catalog": try Guides(symbols: Symbols(archives: nil)).rewrite(folder)
            default: try Site(folder: folder).finish()
            }
        } catch let problem as Problem {
            for line in problem.lines { FileHandle.standardError.write(Data("error: \(line)\n".utf8)) }
            exit(1)
        }
    }
}

struct Problem: Error { let lines: [String] }

/// A document of the repository, and the article that it becomes.
struct Document {
    let path: String
    let text: String
    /// The name of the article's file, by which links refer to it; it includes the folders, because links cannot.
    let name: String

    init(path: String) throws {
        self.path = path
        text = try String(contentsOfFile: path, encoding: .utf8)
        var parts = path.replacing("Documentation/", with: "").replacing(".md", with: "").split(separator: "/")
        if parts.count > 1, parts.last == "README" { parts.removeLast() }
        name = parts.joined(separator: "-")
    }

    /// The anchors of the headings, from the form in links between documents to the form of the site.
    var anchors: [String: String] {
        var anchors: [String: String] = [:]
        for (line, isCode) in text.markedLines where !isCode && line.hasPrefix("#") {
            let title = line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces)
            anchors[title.slug] = title.fragment
        }
        return anchors
    }
}

/// The pages of the products' symbols.
struct Symbols {
    private var paths: [String: [String]] = [:]

    init(archives: String?) throws {
        guard let archives else { return }
        for archive in try FileManager.default.contentsOfDirectory(atPath: archives) {
            let file = "\(archives)/\(archive)/linkable-entities.json"
            guard let data = FileManager.default.contents(atPath: file),
                let entities = try JSONSerialization.jsonObject(with: data) as? [[String: Any]]
            else { continue }
            for entity in entities {
                guard let title = entity["title"] as? String, let path = entity["path"] as? String else { continue }
                paths[title, default: []].append(path)
            }
        }
    }

    /// The page of a symbol of a module; if several have the name, the one with the shortest path.
    func page(_ name: String, in module: String) -> String? {
        paths[name]?.filter { $0.hasPrefix("/documentation/\(module.lowercased())/") }
            .min { ($0.count, $0) < ($1.count, $1) }
    }
}

/// The documents as articles.
struct Guides {
    let symbols: Symbols
    private let documents: [String: Document]

    init(symbols: Symbols) throws {
        self.symbols = symbols
        let found = FileManager.default.enumerator(atPath: "Documentation")?.compactMap { $0 as? String } ?? []
        let paths =
            ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"]
            + found.filter { $0.hasSuffix(".md") }.map { "Documentation/" + $0 }
        documents = Dictionary(uniqueKeysWithValues: try paths.map { ($0, try Document(path: $0)) })
    }

    /// Writes the articles, the pictures and the page that lists them.
    func write(to catalog: String) throws {
        var problems: [String] = []
        for document in documents.values.sorted(by: { $0.path < $1.path }) {
            var text = rewritten(document.text, of: document.path, isArticle: true, problems: &problems)
            if document.path.hasSuffix("/README.md") { text += topics(of: document) }
            try text.write(toFile: "\(catalog)/\(document.name).md", atomically: true, encoding: .utf8)
        }
        for folder in ["Curves", "Images"] {
            for picture in try FileManager.default.contentsOfDirectory(atPath: "Documentation/\(folder)") {
                try FileManager.default.copyItem(
                    atPath: "Documentation/\(folder)/\(picture)", toPath: "\(catalog)/\(picture)")
            }
        }
        try root.write(toFile: "\(catalog)/Guides.md", atomically: true, encoding: .utf8)
        guard problems.isEmpty else { throw Problem(lines: problems) }
    }

    /// Rewrites the links to documents in the pages of a product; DocC checks the links to symbols.
    func rewrite(_ catalog: String) throws {
        var problems: [String] = []
        let original = "Sources/\((catalog as NSString).lastPathComponent.replacing(".docc", with: ""))/x.docc/x.md"
        for file in try FileManager.default.contentsOfDirectory(atPath: catalog) where file.hasSuffix(".md") {
            let path = "\(catalog)/\(file)"
            let text = try String(contentsOfFile: path, encoding: .utf8)
            try rewritten(text, of: original, isArticle: false, problems: &problems)
                .write(toFile: path, atomically: true, encoding: .utf8)
        }
        guard problems.isEmpty else { throw Problem(lines: problems) }
    }

    /// The pages of a folder, below the one that introduces it.
    private func topics(of index: Document) -> String {
        let folder = index.path.replacing("README.md", with: "")
        let pages = documents.values.filter { $0.path.hasPrefix(folder) && $0.path != index.path }.map(\.name).sorted()
        return "\n## Topics\n\n### Pages\n\n" + pages.map { "- <doc:\($0)>\n" }.joined()
    }

    /// The page that the site opens with: the README's lists of documents.
    private var root: String {
        var text = "# Guides\n\n@Metadata {\n    @TechnologyRoot\n}\n\n"
        text += "What the library is and how to use it; a guide for each subject; tables to look things up in.\n\n"
        text += "## Topics\n\n### To begin\n\n- <doc:README>\n"
        var listed: Set = ["README"]
        for line in documents["README.md"]?.text.split(separator: "\n") ?? [] {
            if line.hasPrefix("| To "), let heading = line.split(separator: "|").first {
                text += "\n### \(heading.trimmingCharacters(in: .whitespaces))\n\n"
            }
            guard line.hasPrefix("| [") || line.hasPrefix("MIT") else { continue }
            for match in line.matches(of: /\]\(([A-Za-z\/]*\.md)\)/) {
                guard let name = documents[String(match.1)]?.name, listed.insert(name).inserted else { continue }
                text += "- <doc:\(name)>\n"
            }
        }
        return text
    }

    private func rewritten(_ text: String, of path: String, isArticle: Bool, problems: inout [String]) -> String {
        var output: [String] = []
        var prose: [String] = []
        var isTitled = false
        // A link may span two lines.
        for (line, isCode) in text.markedLines + [("", true)] {
            guard isCode else {
                // DocC takes a line that begins with an at sign for a directive, and a page has one title.
                let isTitle = line.hasPrefix("# ") && isArticle
                let prefix = line.hasPrefix("@") && isArticle ? "\\" : isTitle && isTitled ? "#" : ""
                isTitled = isTitled || isTitle
                prose.append(prefix + line)
                continue
            }
            let text = prose.joined(separator: "\n")
            if !prose.isEmpty { output.append(linked(text, of: path, isArticle: isArticle, problems: &problems)) }
            prose = []
            output.append(line)
        }
        return output.dropLast().joined(separator: "\n")
    }

    private func linked(_ prose: String, of path: String, isArticle: Bool, problems: inout [String]) -> String {
        var output = ""
        var rest = prose[...]
        while let match = rest.firstMatch(of: Self.spanOrLink) {
            output += rest[..<match.range.lowerBound]
            if let target = match.output.target {
                let text = String(match.output.text ?? "")
                if let link = link(String(target), text, from: path, isArticle: isArticle) {
                    output += "\(match.output.mark ?? "")[\(text)](\(link))"
                } else {
                    problems.append("\(path): the site has no page for \(target)")
                }
            } else {
                output += span(String(match.output.0), of: path, isArticle: isArticle)
            }
            rest = rest[match.range.upperBound...]
        }
        return output + rest
    }

    /// A code span, or a link, whose text may have code spans.
    private static var spanOrLink: Regex<(Substring, mark: Substring?, text: Substring?, target: Substring?)> {
        /(?:`+[^`]+`+)|(?<mark>!?)\[(?<text>(?:[^\[\]`]|`[^`]*`)*)\]\((?<target>[^()\s]+)\)/
    }

    /// A code span of a document, which does not link to a symbol; a timeline stays on one line.
    private func span(_ text: String, of path: String, isArticle: Bool) -> String {
        guard isArticle else { return text }
        let single = text.hasPrefix("``") ? "`\(text.trimmingCharacters(in: ["`", " "]))`" : text
        // Non-breaking hyphens are harmless here, because nobody copies a timeline.
        guard path.hasSuffix("/Operators.md"),
            single.wholeMatch(of: /`[-0-9a-z#A-Z|\\]*(?:-|\\\|)[-0-9a-z#A-Z|\\]*`/) != nil
        else { return single }
        return single.replacing("-", with: "\u{2011}")
    }

    private func link(_ target: String, _ text: String, from path: String, isArticle: Bool) -> String? {
        if target.contains("://") || target.hasPrefix("doc:") { return target }
        let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let file = (parts[0].isEmpty ? path : (path as NSString).deletingLastPathComponent + "/" + parts[0])
            .standardized
        if let document = documents[file] {
            guard parts.count == 2 else {
                return isArticle ? "doc:\(document.name)" : "/documentation/guides/\(document.name.lowercased())"
            }
            guard let anchor = document.anchors[String(parts[1])] else { return nil }
            return isArticle
                ? "<doc:\(document.name)#\(anchor)>" : "</documentation/guides/\(document.name.lowercased())#\(anchor)>"
        }
        guard FileManager.default.fileExists(atPath: file) else { return nil }
        if file.hasPrefix("Documentation/") { return (file as NSString).lastPathComponent }
        if file.hasPrefix("Sources/"), text.hasPrefix("`"), let module = file.split(separator: "/").dropFirst().first {
            // The core has no pages of its own: the module that exports it has them.
            let documented = module == "RepositoryCore" ? "SignalRepository" : String(module)
            return symbols.page(text.trimmingCharacters(in: ["`"]), in: documented).map { "<\($0)>" }
        }
        return "/files/\(file)" + ((file as NSString).pathExtension.isEmpty ? "" : ".txt")
    }
}

extension String {
    /// The lines, and whether each is part of a code block.
    var markedLines: [(line: String, isCode: Bool)] {
        var isCode = false
        return split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let isFence = line.hasPrefix("```")
            defer { if isFence { isCode.toggle() } }
            return (String(line), isCode || isFence)
        }
    }

    /// The anchor of a heading, as GitHub and GitLab make it.
    var slug: String {
        String(
            String.UnicodeScalarView(
                lowercased().unicodeScalars.filter {
                    $0.properties.isAlphabetic || "0123456789 -_".contains(Character($0))
                })
        )
        .replacing(" ", with: "-")
    }

    /// The anchor of a heading, as DocC makes it.
    var fragment: String {
        let words = components(separatedBy: CharacterSet.whitespaces.union(CharacterSet(charactersIn: "-–—")))
        let removed = CharacterSet.punctuationCharacters.union(CharacterSet(charactersIn: "`"))
        return words.map { $0.components(separatedBy: removed).joined() }.filter { !$0.isEmpty }.joined(separator: "-")
    }

    /// The path without `.` and `..`.
    var standardized: String {
        var parts: [Substring] = []
        for part in split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return parts.joined(separator: "/")
    }
}

/// The site that DocC has made: pages as JSON, which one page shows in a browser.
struct Site {
    let folder: String

    func finish() throws {
        var problems: [String] = []
        let data = FileManager.default.enumerator(atPath: "\(folder)/data")?.compactMap { $0 as? String } ?? []
        for page in data.filter({ $0.hasSuffix(".json") }).sorted() {
            guard let content = FileManager.default.contents(atPath: "\(folder)/data/\(page)"),
                let page = try JSONSerialization.jsonObject(with: content) as? [String: Any]
            else { continue }
            for case let reference as [String: Any] in (page["references"] as? [String: Any] ?? [:]).values {
                guard reference["type"] as? String == "link", let url = reference["url"] as? String else { continue }
                if try !isThere(url) { problems.append("\(page["identifier"] ?? ""): nothing is at \(url)") }
            }
        }
        guard problems.isEmpty else { throw Problem(lines: problems) }
    }

    private func isThere(_ url: String) throws -> Bool {
        if url.contains("://") { return true }
        let parts = url.split(separator: "#", maxSplits: 1)
        guard let path = parts.first, path.hasPrefix("/") else { return false }
        if path.hasPrefix("/files/") { return try copy(String(path.dropFirst("/files/".count))) }
        guard let data = FileManager.default.contents(atPath: "\(folder)/data\(path).json") else { return false }
        return parts.count == 1 || String(decoding: data, as: UTF8.self).contains("\"anchor\":\"\(parts[1])\"")
    }

    /// Copies a file, or the files of a folder, as text files, which a browser shows instead of saving.
    private func copy(_ path: String) throws -> Bool {
        let files = FileManager.default
        let source = path.hasSuffix(".txt") ? String(path.dropLast(4)) : path
        var isFolder: ObjCBool = false
        guard files.fileExists(atPath: source, isDirectory: &isFolder) else { return false }
        if isFolder.boolValue {
            return try files.contentsOfDirectory(atPath: source).allSatisfy { try copy("\(source)/\($0).txt") }
        }
        let target = "\(folder)/files/\(path)"
        try files.createDirectory(
            atPath: (target as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        if !files.fileExists(atPath: target) { try files.copyItem(atPath: source, toPath: target) }
        return true
    }
}
