#if Macros
    import CSQLite
    import Foundation
    import Testing
    @testable import RepositoryCore
    @testable import SignalRepository

    /// Stores items of a model, and expects the same schema and cells as from its twin written by hand.
    func expectTwins<Item: Entity & Equatable, Twin: Entity>(
        _ items: [Item], _ twin: Twin.Type, beside others: [(any Entity.Type, any Entity.Type)] = [],
        sourceLocation: SourceLocation = #_sourceLocation,
        preparing prepare: (SQLiteRepository) async throws -> Void = { _ in }
    ) async throws {
        try await withTwoFiles { first, second in
            let repository = try SQLiteRepository(.file(first), entities: [Item.self] + others.map(\.0))
            try await prepare(repository)
            try await repository.insert(items).value()
            let stored = try await repository.fetch(Item.all).value()
            #expect(stored.map(\.id) == items.map(\.id) && stored == items, sourceLocation: sourceLocation)
            await closed(repository)
            await closed(try SQLiteRepository(.file(second), entities: [Twin.self] + others.map(\.1)))
            let tables = try schema(of: first)
            #expect(
                tables.contains { $0.contains("\"\(Item.entityName)\"") }, "\(tables)", sourceLocation: sourceLocation)
            #expect(tables == (try schema(of: second)), sourceLocation: sourceLocation)

            let reopened = try SQLiteRepository(.file(first), entities: [Twin.self] + others.map(\.1))
            let twins = try await reopened.fetch(Twin.all).value()
            let cells = try twins.map { try Twin.schema.values(of: $0) }
            #expect(cells == (try items.map { try Item.schema.values(of: $0) }), sourceLocation: sourceLocation)
            await closed(reopened)
        }
    }

    private func withTwoFiles(_ body: (String, String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "macros-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.appending(path: "a.sqlite").path, folder.appending(path: "b.sqlite").path)
    }

    private func closed(_ repository: SQLiteRepository) async {
        for await _ in repository.close().values {}
    }

    /// Returns the SQL that created the tables and indexes of a file.
    private func schema(of path: String) throws -> [String] {
        var (handle, statement): (OpaquePointer?, OpaquePointer?)
        try #require(sqlite3_open_v2(path, &handle, SQLITE_OPEN_READONLY, nil) == SQLITE_OK)
        defer { sqlite3_close_v2(handle) }
        let sql = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name"
        try #require(sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK)
        defer { sqlite3_finalize(statement) }
        var texts: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            if let text = sqlite3_column_text(statement, 0) { texts.append(String(cString: text)) }
        }
        return texts
    }
#endif
