import Foundation
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

/// A damaged or forged history, which must not end the process or change rows that it does not name.
@Suite("Damaged and forged histories", .timeLimit(.minutes(isSoak ? 600 : 10))) struct ForgedHistoryTests {
    private let history = StoreHistory.kept(for: .seconds(1_000_000), isUndoable: true)

    private func open(_ folder: TemporaryFolder) throws -> SQLiteRepository {
        try SQLiteRepository(
            .file(folder.file()), entities: Diary.entities, configuration: RepositoryConfiguration(history: history))
    }

    /// Makes a store with a few commits of two authors, some of them undone.
    private func make(_ folder: TemporaryFolder, seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let repository = try open(folder)
        for number in 0..<6 {
            try await repository.transaction(author: number.isMultiple(of: 2) ? "ann" : "bob") { store in
                try store.upsert(Diary.Page(number: number, text: "a"))
                try store.upsert(Diary.Page(number: number, text: "b"))
                try store.upsert(Diary.Word(id: "\(number)", count: number))
            }.value()
        }
        for _ in 0..<4 {
            let author = Bool.random(using: &random) ? "ann" : "bob"
            _ = try await repository.undo(author: author).value()
            if Bool.random(using: &random) { _ = try await repository.redo(author: author).value() }
        }
        await closed(repository)
    }

    private static let numbers = ["-9223372036854775808", "9223372036854775807", "-1", "0", "1", "2", "3", "7", "1000"]

    private static let times = ["9e999", "-9e999", "0", "1e300"]
    private static let authors = ["NULL", "'ann'", "CAST(x'ff' AS TEXT)"]

    /// A random statement that changes or deletes an entry.
    private static func forgery(_ random: inout SeededGenerator) -> String {
        let table = "signal_repository_history"
        let number = numbers.randomElement(using: &random) ?? ""
        let entry = "WHERE number = \(Int.random(in: 1...12, using: &random))"
        let byte = Int.random(in: 0...255, using: &random)
        let place = Int.random(in: 1...60, using: &random)
        return switch Int.random(in: 0..<12, using: &random) {
        case 0: "UPDATE OR REPLACE \(table) SET number = \(number) \(entry)"
        case 1: "UPDATE \(table) SET mark = \(number) \(entry)"
        case 2:
            "UPDATE \(table) SET time = \(times.randomElement(using: &random) ?? "") \(entry)"
        case 3:
            "UPDATE \(table) SET author = \(authors.randomElement(using: &random) ?? "") \(entry)"
        case 4: "UPDATE \(table) SET undoes = \(Bool.random(using: &random) ? "NULL" : number) \(entry)"
        case 5: "UPDATE \(table) SET depth = \(number) \(entry)"
        case 6: "UPDATE \(table) SET rows = CAST(x'0102' || substr(rows, 3) || substr(rows, 3) AS BLOB) \(entry)"
        case 7, 8:
            """
            UPDATE \(table) SET rows = CAST(substr(rows, 1, \(place)) || unhex_(\(byte)) \
            || substr(rows, \(place) + 2) AS BLOB) \(entry)
            """
        case 9: "UPDATE \(table) SET rows = CAST(substr(rows, 1, \(place)) AS BLOB) \(entry)"
        case 10:
            """
            UPDATE \(table) SET rows = CAST(replace(CAST(rows AS TEXT), 'Page', \
            '\(["sqlite_schema", "Gone", "Word", "page"].randomElement(using: &random) ?? "")') AS BLOB) \(entry)
            """
        default: "DELETE FROM \(table) \(entry)"
        }
    }

    /// Replaces `unhex_(…)` with a literal, because older versions of SQLite have no such function.
    private static func spelled(_ sql: String) -> String {
        guard let start = sql.range(of: "unhex_("), let end = sql[start.upperBound...].firstIndex(of: ")"),
            let byte = Int(sql[start.upperBound..<end])
        else { return sql }
        let hex = (byte < 16 ? "0" : "") + String(byte, radix: 16)
        return sql.replacingCharacters(in: start.lowerBound...end, with: "x'\(hex)'")
    }

    @Test(
        "S-M2 Whichever byte or column is forged, reading, undo, check and writing succeed or fail with an error",
        arguments: HistoryTests.seeds(20))
    func forged(seed: Int) async throws {
        let folder = try TemporaryFolder()
        try await make(folder, seed: seed)
        var random = SeededGenerator(seed: UInt64(seed))
        let whole = try Data(contentsOf: URL(fileURLWithPath: folder.file()))
        for _ in 0..<3 {
            try whole.write(to: URL(fileURLWithPath: folder.file()))
            let raw = try RawDatabase(folder.file())
            var sentences: [String] = []
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                sentences.append(Self.spelled(Self.forgery(&random)))
                _ = raw.attempt(sentences.last ?? "")
            }
            raw.close()
            let forged = sentences.joined(separator: "; ")
            let repository = try open(folder)
            let isSound = try await repository.check().value().isSound
            do {
                _ = try await repository.read { try $0.history(since: .beginning) }.value()
            } catch {
                #expect(Self.isExpected(error) && !isSound, "\(error) after \(forged), which check() does not see")
            }
            for author in ["ann", "bob"] {
                for isRedo in [true, false, false, true] {
                    do {
                        _ =
                            isRedo
                            ? try await repository.redo(author: author).value()
                            : try await repository.undo(author: author).value()
                    } catch {
                        #expect(Self.isExpected(error), "\(error) after \(forged)")
                    }
                }
            }
            do {
                try await repository.create(Diary.Page(number: 100, text: "")).value()
                _ = try await repository.read { try $0.history(since: .beginning) }.value()
            } catch {
                #expect(Self.isExpected(error), "\(error) after \(forged)")
            }
            await closed(repository)
        }
    }

    private static func isExpected(_ error: any Error) -> Bool {
        switch error as? RepositoryError {
        case .corrupt, .conflict, .misuse, .constraint: true
        default: false
        }
    }

    @Test("S-M2 check() reports the entries that this library cannot have written")
    func checked() async throws {
        let folder = try TemporaryFolder()
        try await make(folder, seed: 1)
        for (sql, count) in [
            ("depth = 9223372036854775807 WHERE undoes IS NOT NULL LIMIT 1", 1),
            ("rows = CAST(x'0102' || substr(rows, 3) || substr(rows, 3) AS BLOB) WHERE number = 1", 1),
            ("undoes = 6, depth = 1 WHERE number = 3", 1), ("rows = x'01ff' WHERE number IN (1, 2)", 2),
            ("time = 9e999 WHERE number = 2", 1), ("author = CAST(x'ff' AS TEXT) WHERE number IN (4, 6)", 2),
            ("number = 9223372036854775807 WHERE number = (SELECT max(number) FROM signal_repository_history)", 1),
            ("mark = mark", 0),
        ] {
            let copy = try TemporaryFolder()
            try FileManager.default.copyItem(atPath: folder.file(), toPath: copy.file())
            let raw = try RawDatabase(copy.file())
            try raw.run("UPDATE signal_repository_history SET \(sql)")
            raw.close()
            let repository = try open(copy)
            let check = try await repository.check().value()
            #expect(check.damage.count == count && check.isSound == (count == 0), "\(sql): \(check)")
            await closed(repository)
        }
    }

    @Test("S-M2 An extreme depth or number and a table named twice are .corrupt; undo ends despite a cycle of undos")
    func known() async throws {
        for sql in [
            "depth = 9223372036854775807 WHERE undoes IS NOT NULL", "number = -5, depth = 0 WHERE undoes IS NULL",
            "rows = CAST(x'0102' || substr(rows, 3) || substr(rows, 3) AS BLOB)",
        ] {
            let folder = try TemporaryFolder()
            let repository = try open(folder)
            try await repository.create(Diary.Page(number: 1, text: "a")).value()
            if sql.hasPrefix("depth") { try await repository.undo().value() }
            await closed(repository)
            let raw = try RawDatabase(folder.file())
            try raw.run("UPDATE signal_repository_history SET \(sql)")
            raw.close()
            let forged = try open(folder)
            await expectFailure({ if case .corrupt = $0 { true } else { false } }) {
                sql.hasPrefix("depth") ? try await forged.redo().value() : try await forged.undo().value()
            }
            await closed(forged)
        }
        let folder = try TemporaryFolder()
        try await make(folder, seed: 3)
        let raw = try RawDatabase(folder.file())
        try raw.run("UPDATE signal_repository_history SET undoes = 13 - number, depth = 1 WHERE number BETWEEN 5 AND 8")
        raw.close()
        let repository = try open(folder)
        for author in ["ann", "bob"] { _ = try? await repository.undo(author: author).value() }
        await closed(repository)
    }
}
