import Foundation
import SwiftOperators
import SwiftParser

/// A copy of the package whose sources have their mutants behind the switch.
struct ScratchPackage {
    /// The package, and the folder with its copy and the records of the runs.
    let root: URL
    let folder: URL
    /// The modules that are mutated.
    let modules: [String]

    var package: URL { folder.appending(path: "package") }

    /// The modules that can be mutated.
    static let allModules = ["Signals", "RepositoryCore", "SignalRepository", "SignalRepositoryPostgres"]

    /// - Parameter room: A folder of `Sources`, of which only the module is mutated; if nil, all modules are.
    init(of root: URL, room: String? = nil) {
        let module = room?.split(separator: "/").first.map(String.init)
        modules = Self.allModules.filter { module == nil || $0 == module }
        self.root = root
        folder = root.appending(path: ".build-mutants")
    }

    /// Reads the sources and finds their mutants, numbered in the order of the file names.
    func sources() throws -> [SourceFile] {
        // The code of a tutorial is not part of the module.
        let paths = try Self.allModules.flatMap { try files("Sources/\($0)") }
            .filter { $0.hasSuffix(".swift") && !$0.contains(".docc/") }
        let texts = try paths.map { ($0, try String(contentsOf: root.appending(path: $0), encoding: .utf8)) }
        var operators = OperatorTable.standardOperators
        for (_, text) in texts { operators.addSourceFile(Parser.parse(source: text)) { _ in } }
        var first = 1
        return texts.map { path, text in
            let source = SourceFile(path: path, text: text, first: first, operators: operators)
            first += source.mutants.count
            return source
        }
    }

    /// Writes the copy, and returns the paths of the files that have changed.
    ///
    /// A file that already has the same text is not written, so that it is not built again.
    func write(_ sources: [SourceFile], dropping dropped: Set<Int>) throws -> [String] {
        var changed: [String] = []
        let mutated = Set(sources.map(\.path))
        var kept: Set = ["Package.swift"]
        for folder in ["Sources", "Tests", "Documentation"] {
            for path in try files(folder) {
                kept.insert(path)
                guard !mutated.contains(path) else { continue }
                if try replace(path, with: Data(contentsOf: root.appending(path: path))) { changed.append(path) }
            }
        }
        for source in sources where try write(source, dropping: dropped) { changed.append(source.path) }
        for (name, text) in SwitchModule.files {
            let path = "Sources/\(SwitchModule.name)/\(name)"
            kept.insert(path)
            if try replace(path, with: Data(text.utf8)) { changed.append(path) }
        }
        let manifest = try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
        if try replace("Package.swift", with: Data((manifest + SwitchModule.manifest).utf8)) {
            changed.append("Package.swift")
        }
        for folder in ["Sources", "Tests"] {
            for path in try files(folder, in: package) where !kept.contains(path) {
                try FileManager.default.removeItem(at: package.appending(path: path))
                changed.append(path)
            }
        }
        return changed
    }

    @discardableResult
    func write(_ source: SourceFile, dropping dropped: Set<Int>) throws -> Bool {
        try replace(source.path, with: Data(source.mutated(dropping: dropped, importing: SwitchModule.name).utf8))
    }

    /// Writes a file if its content differs, and returns whether it did.
    private func replace(_ path: String, with data: Data) throws -> Bool {
        let file = package.appending(path: path)
        if let present = try? Data(contentsOf: file), present == data { return false }
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
        return true
    }

    /// The files below a folder, as sorted paths relative to the package.
    private func files(_ folder: String, in base: URL? = nil) throws -> [String] {
        let start = (base ?? root).appending(path: folder)
        return try FileManager.default.subpathsOfDirectory(atPath: start.path)
            .filter { path in
                var isFolder: ObjCBool = false
                let file = start.appending(path: path).path
                return FileManager.default.fileExists(atPath: file, isDirectory: &isFolder) && !isFolder.boolValue
            }
            .map { folder + "/" + $0 }.sorted()
    }
}
