import ArgumentParser
import SignalRepository

/// Describes a file in sentences: what it holds, how large it is, and whether it is sound.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Describe a file: what it holds, how large it is, and whether it is sound.",
        discussion: """
            Any store of the library will do, whatever it holds. The file is only read, and may be in use. It ends \
            with status 1 when something is wrong, and says what.
            """)

    @Argument(help: ArgumentHelp("The file.", valueName: "file"))
    var file: StoreName

    func validate() throws {
        guard file.path != nil else { throw ValidationError("doctor checks a file; a server has its own tools.") }
    }

    func run() async throws {
        guard let path = file.path else { return }
        let repository: SQLiteRepository
        do {
            repository = try SQLiteRepository(
                .file(path), entities: [], configuration: RepositoryConfiguration(access: .readOnly))
        } catch {
            throw PlaygroundError(error)
        }
        let contents = try await repository.read { store in try Contents(store) }.worded.value()
        let size = try await repository.size().worded.value()
        let check = try await repository.check().worded.value()
        await repository.close().value()
        let screen = Screen.standard
        screen.print(contents.sentences + sentences(size))
        if check.isSound { screen.print(["It is sound: its pages, indexes, references and full-text indexes."]) }
        try screen.check()
        guard check.isSound else { throw PlaygroundError("\(file.description) is not sound: \(check)") }
    }

    private func sentences(_ size: StoreSize) -> [String] {
        let advice = size.free > size.file / 2 ? "; vacuum() gives them back" : ""
        let log = size.log == 0 ? [] : ["Its log takes \(bytes(size.log)): it is open, or was not closed."]
        return ["It takes \(bytes(size.file)), of which \(bytes(size.free)) are free\(advice)."] + log
    }

    private func bytes(_ count: Int) -> String { count < 10 << 20 ? "\(count >> 10) KiB" : "\(count >> 20) MiB" }
}

/// The contents of a file, in sentences.
private struct Contents {
    let sentences: [String]

    init(_ store: ReadTransaction) throws {
        let tables = try store.rows(
            """
            SELECT name FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_' \
            AND substr(name, 1, 17) <> 'signal_repository' ORDER BY name
            """)
        let names = tables.map { row in if case .text(let name)? = row.first { Escaping.visible(name) } else { "" } }
        let searches = try store.rows(
            "SELECT 1 FROM sqlite_schema WHERE substr(name, 1, 31) = 'signal_repository_search_insert'")
        let page = try store.rows("SELECT page_size FROM pragma_page_size")
        let version = try store.rows("SELECT sqlite_version()")
        sentences = [
            "It holds \(names.isEmpty ? "no tables" : names.joined(separator: ", ")), and "
                + "\(searches.count) full-text \(searches.count == 1 ? "index" : "indexes").",
            "A page has \(Self.text(page)) bytes, and SQLite is \(Self.text(version)).",
        ]
    }

    private static func text(_ rows: [[SQLValue]]) -> String {
        switch rows.first?.first {
        case .text(let text): text
        case .integer(let number): "\(number)"
        default: "unknown"
        }
    }
}
