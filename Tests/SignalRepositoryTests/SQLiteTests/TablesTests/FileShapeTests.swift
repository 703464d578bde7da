import SignalRepository
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Shape of a file") struct FileShapeTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Makes a store with one entity, and as many foreign tables, indexes and views as `others`.
    private func makeStore(others: Int) throws -> StoreLocation {
        let path = folder.file("\(others).sqlite")
        let store = try OpenedStore(.file(path), entities: [Box<String>.self])
        let writer = try #require(store.writer)
        try writer.begin(.write)
        for number in 0..<others {
            try writer.execute("CREATE TABLE Other\(number) (a INTEGER PRIMARY KEY, b TEXT) STRICT")
            try writer.execute("CREATE INDEX byB\(number) ON Other\(number) (b)")
            try writer.execute("CREATE VIEW View\(number) AS SELECT b FROM Other\(number)")
        }
        try writer.commit()
        writer.close()
        return .file(path)
    }

    private func statements(opening store: StoreLocation, _ access: StoreAccess) throws -> [String] {
        let texts = ReceivedTexts()
        var options = ConnectionOptions()
        options.trace = { texts.append($0) }
        let opened = try OpenedStore(store, access: access, entities: [Box<String>.self], options: options)
        opened.writer?.close()
        return texts.all
    }

    @Test(
        "Opening runs as many statements on a file with a hundred other tables as on one with two",
        arguments: [StoreAccess.readWrite, .readOnly])
    func otherTables(_ access: StoreAccess) throws {
        let few = try statements(opening: makeStore(others: 2), access).count
        #expect(try statements(opening: makeStore(others: 100), access).count == few)
        #expect(few > 0)
    }

    @Test("The names of all tables are read once for many statements")
    func names() async throws {
        let texts = ReceivedTexts()
        var options = ConnectionOptions()
        options.trace = { texts.append($0) }
        guard case .file(let path) = try makeStore(others: 20) else { return }
        let connection = try Connection(path: path, options: options)
        for number in 0..<20 { #expect(try connection.prepare("SELECT b FROM Other\(number)").access.read.count == 1) }
        #expect(texts.all.count { $0.contains("sqlite_schema") } == 1)
    }
}
