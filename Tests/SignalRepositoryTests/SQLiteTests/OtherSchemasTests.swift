import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

/// Random tables, as other programs might declare them, that are adopted, changed and followed.
///
/// `SCHEMAS` sets how many, `SCHEMA` the first one: `SCHEMA=17 swift test --filter OtherSchemasTests` repeats one.
@Suite("Random schemas of other programs", .timeLimit(.minutes(isLong ? 600 : 10))) struct OtherSchemasTests {
    private static let first = HistoryTests.number("SCHEMA")
    private static let count = HistoryTests.number("SCHEMAS") ?? (first == nil ? 100 : 1)
    private static let batchSize = 25
    private static let totals = Lock((adopted: 0, refused: 0))
    private static let batches = stride(from: first ?? 0, to: (first ?? 0) + count, by: batchSize).map { start in
        start..<min(start + batchSize, (first ?? 0) + count)
    }

    @Test(
        "B1 B2 B3 B4 B5 B6 B7 B14 S-M11 Answers equal reads, live values equal fresh ones, and change sets the changes",
        arguments: batches)
    func schemas(seeds: Range<Int>) async throws {
        for seed in seeds {
            let schema = OtherSchema(seed: UInt64(seed))
            let faults = try await schema.isText ? trial(schema, seed, String.self) : trial(schema, seed, Int.self)
            guard let fault = faults.first else { continue }
            Issue.record("SCHEMA=\(seed): \(fault); the schema: \(faults.last ?? "")")
        }
    }

    /// Counts the schemas; a long run prints the totals.
    private static func note(isAdopted: Bool) {
        let totals = totals.withLock { totals in
            if isAdopted { totals.adopted += 1 } else { totals.refused += 1 }
            return totals
        }
        if isLong, (totals.adopted + totals.refused) % 1_000 == 0 { print(totals) }
    }

    /// Makes and adopts a file, and returns the faults that were found.
    private func trial<Key: OtherKey>(
        _ schema: OtherSchema, _ seed: Int, _ key: Key.Type
    ) async throws -> [String] {
        let folder = try TemporaryFolder()
        let path = folder.file("other.db")
        let database = try RawDatabase(path)
        // Statements that SQLite refuses are left out, such as a column that cannot be added to existing rows.
        for statement in schema.script { _ = database.attempt(statement) }
        database.close()
        let store: SQLiteRepository
        do {
            store = try SQLiteRepository(adopting: path, entities: OtherRow<Key>.self)
        } catch .schemaMismatch(let detail) {
            Self.note(isAdopted: false)
            return schema.isRefused(for: detail) ? [] : ["refused: \(detail); \(schema.script)"]
        } catch {
            return ["not opened: \(error); \(schema.script)"]
        }
        Self.note(isAdopted: true)
        var faults = schema.hasKey ? [] : ["it was adopted without a key"]
        if schema.isCollated { faults.append("it was adopted, although its keys compare different texts as equal") }
        if faults.isEmpty {
            var trial = await OtherTrial<Key>(store, seed: UInt64(seed))
            await trial.run(12)
            faults = trial.faults
        }
        await closed(store)
        return faults.isEmpty ? [] : faults + [schema.script.joined(separator: "; ")]
    }
}

/// Whether a long run was requested.
private let isLong = HistoryTests.number("SCHEMAS") != nil
