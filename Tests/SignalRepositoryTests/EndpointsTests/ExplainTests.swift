import Foundation
import SignalRepository
import Signals
import Testing

@Suite("explain", .timeLimit(.minutes(10))) struct ExplainTests {
    // In SQLite's words.
    @Test("A plan names the index that is used, and executes nothing", arguments: StoreKind.local)
    func index(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let plan = try await repository.explain(Film.where { $0.studio == "A" }.sorted(by: \.studio)).value()
            // The id comes last in every order, and this index does not have it.
            let rest = "USE TEMP B-TREE FOR RIGHT PART OF ORDER BY"
            #expect(plan.steps == ["SEARCH Film USING INDEX index_Film(studio) (studio=?)", rest])
            #expect(plan.sql.hasPrefix("SELECT") && plan.sql.contains("?") && !plan.sql.contains("\"A\""))
            let sorted = try await repository.explain(Film.all.sorted(by: \.title)).value()
            #expect(sorted.description == "SCAN Film\nUSE TEMP B-TREE FOR ORDER BY")
        }
    }

    // In SQLite's words.
    @Test("Steps are indented below their parent step", arguments: StoreKind.local)
    func indented(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let either = Film.where { $0.studio == "A" || $0.id == Film.id(1) }
            let plan = try await repository.explain(either).value()
            #expect(plan.steps.first == "MULTI-INDEX OR" && plan.steps.last == "USE TEMP B-TREE FOR ORDER BY")
            #expect(plan.steps.contains("  INDEX 1") && plan.steps.contains { $0.hasPrefix("    SEARCH Film") })
        }
    }

    // In SQLite's words.
    @Test("A page begins at its cursor with the index of its order", arguments: StoreKind.local)
    func page(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.insert((0..<10).map { Film.numbered($0, studio: "S\($0)") }).value()
            let first = try await repository.fetch(Film.where { $0.studio != nil }.sorted(by: \.studio).page(size: 3))
                .value()
            #expect(first.items.count == 3)
            let plan = try await repository.explain(Film.where { $0.studio >= "S2" }.sorted(by: \.studio)).value()
            #expect(plan.steps.first == "SEARCH Film USING INDEX index_Film(studio) (studio>?)")
        }
    }
}
