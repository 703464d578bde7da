import Foundation
import SignalRepository
import Signals
import Testing

/// An entity whose computed schema takes its clauses from the test.
private struct Thing: Entity {
    let id: Int
    var name: String
    var amount: Double

    @TaskLocal static var clauses: [TableClause<Thing>] = []
    static var schema: Schema<Thing> {
        Schema(
            Column("id", \Thing.id), Column("name", \.name), Column("amount", \.amount), clauses: clauses,
            make: Thing.init)
    }
}

@Suite("Clauses that are refused", .timeLimit(.minutes(10))) struct ClauseRefusalsTests {
    private func expectRefusal(
        _ kind: StoreKind, _ words: String, _ clauses: [TableClause<Thing>],
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let place = try StorePlace(kind)
        try Thing.$clauses.withValue(clauses) {
            let error = try place.refusal([Thing.self, Hall.self])
            switch error {
            case .misuse, .schemaMismatch: break
            default: Issue.record("\(error)", sourceLocation: location)
            }
            #expect(words.isEmpty || "\(error)".contains(words), "\(error)", sourceLocation: location)
        }
        // The refused opening created nothing.
        _ = try place.open([Hall.self]).close().record()
    }

    @Test("Opening the store says what is wrong with a clause", arguments: StoreKind.kept)
    func refusals(kind: StoreKind) throws {
        try expectRefusal(kind, "two checks", [.check("a") { $0.amount > 0 }, .check("A") { $0.amount > 1 }])
        try expectRefusal(
            kind, "two indexes",
            [
                .index("a", [\.amount]) { $0.amount > 0 }, .index("a", sql: "\"amount\""),
            ])
        try expectRefusal(kind, "a", [.check("") { $0.amount > 0 }])
        try expectRefusal(kind, "NUL", [.check("nul") { $0.name != "a\0b" }, .check("sql", sql: "\"name\" <> 'a\0b'")])
        try expectRefusal(kind, "missing", [.check("no column", sql: "\"missing\" > 0")])
        try expectRefusal(kind, "", [.check("no function", sql: "nothing_like_it(\"amount\")")])
        try expectRefusal(kind, "", [.check("a query", sql: "(SELECT count(*) FROM \"Thing\") < 5")])
        try expectRefusal(kind, "other types", [.references([\.amount, \.name], Hall.self)])
        try expectRefusal(kind, "each once", [.references([\.name], Hall.self)])
        try expectRefusal(kind, "each once", [.references([\.name, \.name], Hall.self)])
        try expectRefusal(kind, "must be optional", [.references([\.name, \.id], Hall.self, onDelete: .nullify)])
        try expectRefusal(
            kind, "is a view", [.view("SELECT 1 AS \"id\""), .index("a", [\.amount]) { $0.amount > 0 }])
        try expectRefusal(kind, "", [.view("SELECT * FROM \"nothing\"")])
        try expectRefusal(kind, "name", [.view("SELECT 1 AS \"id\", 2.5 AS \"amount\"")])
    }

    @Test("An expression that only Swift can compute cannot be a clause", arguments: StoreKind.kept)
    func functions(kind: StoreKind) throws {
        let words = kind == .file ? "another program" : "Swift"
        try expectRefusal(kind, words, [.check("a") { $0.name.lowercased() == "x" }])
        guard kind == .file else { return }
        let own = TermFunction("own") { (text: String) in text.count }
        try expectRefusal(kind, words, [.check("a") { own($0.name) > 0 }])
        try expectRefusal(kind, words, [.check("a") { $0.name.localized(Locale(identifier: "de")) > "a" }])
    }

    @Test("A computed column must come last, without a default, and cannot be a key", arguments: StoreKind.kept)
    func computed(kind: StoreKind) throws {
        struct Early: Entity {
            let id: Int
            var sum: Double
            var amount: Double
            static let schema = Schema(
                Column("id", \Early.id), Column("sum", \.sum, computed: { $0.amount + 1 }), Column("amount", \.amount),
                make: Early.init)
        }
        struct Defaulted: Entity {
            let id: Int
            var sum: Double
            static let schema = Schema(
                Column("id", \Defaulted.id), Column("sum", \.sum, .default(1), computedBy: "\"id\" + 1"),
                make: Defaulted.init)
        }
        struct Keyed: Entity {
            let id: Int
            static let schema = Schema(Column("id", \Keyed.id, computedBy: "1"), make: Keyed.init)
        }
        for (entity, words) in [
            (Early.self as any Entity.Type, "columns last"), (Defaulted.self, "a default"), (Keyed.self, "be a key"),
        ] {
            let error = try StorePlace(kind).refusal([entity])
            #expect("\(error)".contains(words), "\(error)")
        }
    }
}
