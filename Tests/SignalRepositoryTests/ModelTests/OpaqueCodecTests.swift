import Foundation
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Opaque columns", .timeLimit(.minutes(10))) struct OpaqueCodecTests {
    /// A type that is not `Equatable`, so that only the stored values can be compared.
    struct Tags: Codable, Sendable { var names: [String] }

    struct Agent: Entity, Equatable {
        let id: Int
        var name: String
        var alias: String?
        var pay: Decimal
        var isActive: Bool
        var tags: Tags

        static let schema = Schema<Agent> {
            Column("id", \.id)
            Column("name", \.name)
            Column("alias", veiled: \.alias)
            Column("pay", veiled: \.pay, .scale(2))
            Column("isActive", veiled: \.isActive)
            Column("tags", veiledJSON: \.tags)
        } decode: { row in
            try Agent(
                id: row.next(), name: row.next(), alias: row.next(), pay: row.next(), isActive: row.next(),
                tags: row.next())
        }

        static func numbered(_ number: Int, alias: String? = "shadow") -> Agent {
            Agent(
                id: number, name: "Agent \(number)", alias: alias, pay: Decimal(number) / 100,
                isActive: number.isMultiple(of: 2), tags: Tags(names: ["a", "b", "\(number)"]))
        }

        static func == (left: Agent, right: Agent) -> Bool {
            left.id == right.id && left.name == right.name && left.alias == right.alias && left.pay == right.pay
                && left.isActive == right.isActive && left.tags.names == right.tags.names
        }
    }

    private func isRefusal(_ error: RepositoryError) -> Bool {
        guard case .misuse(let detail) = error else { return false }
        return detail.hasPrefix("Agent.alias is encrypted") || detail.hasPrefix("Agent.pay is encrypted")
            || detail.hasPrefix("Agent.isActive is encrypted")
    }

    @Test(
        "Every condition, order, group and function of an opaque column is refused before anything runs",
        arguments: StoreKind.allCases)
    func refused(kind: StoreKind) async throws {
        try await withRepository(kind, [Agent.self]) { repository in
            let conditions: [Condition<Agent>] = [
                Condition { $0.alias == "shadow" }, Condition { $0.alias != "shadow" }, Condition { $0.pay == 0 },
                Condition { $0.pay > 1 }, Condition { $0.alias.isIn(["a", nil]) },
                Condition { $0.alias.isIn([]) }, Condition { $0.pay.between(1...2) }, Condition { !($0.pay == 0) },
                Condition { $0.name == "a" || $0.pay == 0 },
                Condition { $0.alias.contains("a") }, Condition { $0.alias.hasPrefix("a") },
                .init { $0.alias == $0.name },
                .init { $0.isActive }, .init { ($0.alias ?? "") == "a" }, .init { $0.pay + 1 > $0.pay },
                .init { $0.alias.count > 1 }, .predicate(#Predicate { $0.alias == "a" }),
            ]
            for (number, condition) in conditions.enumerated() {
                await expectFailure({ isRefusal($0) }) { try await repository.fetch(Agent.where(condition)).value() }
                await expectFailure({ isRefusal($0) }) {
                    try await repository.count(Agent.self) { _ in condition }.value()
                }
                let live = repository.fetchSubscription(Agent.where(condition)).record()
                guard case .failure(let error)? = await live.end() else {
                    Issue.record("The live query \(number) was not refused.")
                    continue
                }
                #expect(isRefusal(error), "\(number): \(error)")
            }
            let queries = [
                Agent.all.sorted(by: \.alias), Agent.all.sorted(by: \.name).sorted(by: \.pay, .descending),
                Agent.all.sorted { $0.pay }, Agent.all.sorted { $0.pay * 2 },
            ]
            for query in queries {
                await expectFailure(isRefusal) { try await repository.fetch(query).value() }
                await expectFailure(isRefusal) { try await repository.fetch(query.page(size: 2)).value() }
                await expectFailure(isRefusal) { try await repository.fetch(query.select { $0.name }).value() }
            }
            await expectFailure(isRefusal) { try await repository.sum(of: \Agent.pay).value() }
            await expectFailure(isRefusal) { try await repository.max(of: \Agent.alias).value() }
            await expectFailure(isRefusal) { try await repository.fetch(Agent.all.count(groupedBy: \.alias)).value() }
            await expectFailure(isRefusal) {
                try await repository.fetch(Agent.all.grouped { $0.alias }.aggregate { $0.id.count() }).value()
            }
            await expectFailure(isRefusal) {
                try await repository.fetch(Agent.all.aggregate { $0.pay.sum() }).value()
            }
            await expectFailure(isRefusal) {
                try await repository.fetch(Agent.all.select { $0.alias }.distinct()).value()
            }
            await expectFailure(isRefusal) {
                try await repository.update(Agent.self, set: [.set(\.name) { $0.alias ?? "" }]) { _ in .true }.value()
            }
            await expectFailure(\.isMisuse) {
                try await repository.update(Agent.self, set: [.set(\.pay) { $0.pay + 1 }]) { _ in .true }.value()
            }
            await expectFailure(\.isMisuse) {
                try await repository.update(Agent.self, set: [.set(\.alias) { $0.name }]) { _ in .true }.value()
            }
        }
    }

    @Test("An opaque column can be read, selected, set, counted and compared with nil", arguments: StoreKind.allCases)
    func allowed(kind: StoreKind) async throws {
        try await withRepository(kind, [Agent.self]) { repository in
            let agents = (1...300).map { Agent.numbered($0, alias: $0.isMultiple(of: 3) ? nil : "é\0\($0)") }
            try await repository.insert(agents).value()
            let all = Agent.all.sorted(by: \.id)
            #expect(try await repository.fetch(all).value() == agents)
            let pairs = try await repository.fetch(all.select { ($0.alias, $0.pay) }).value()
            #expect(pairs.elementsEqual(agents) { $0 == ($1.alias, $1.pay) })
            #expect(try await repository.count(Agent.self) { $0.alias == nil }.value() == 100)
            #expect(try await repository.count(Agent.self) { $0.alias != nil }.value() == 200)
            #expect(try await repository.count(Agent.self) { $0.alias.isIn([nil]) }.value() == 100)
            #expect(try await repository.count(Agent.self) { _ in .init { $0.alias == nil } }.value() == 100)
            #expect(try await repository.aggregate(.count, of: \Agent.alias).value() == 200)
            let changes: [Assignment<Agent>] = [
                .set(\.alias, to: "new"), .set(\.pay, to: 5), .set(\.isActive, to: true),
            ]
            try await repository.update(Agent.self, set: changes) { $0.alias == nil }.value()
            let third = try await repository.update(Agent.self, id: 2, set: [.set(\.alias, to: nil)]).value()
            #expect(third.alias == nil)
            let changed = try await repository.fetch(all).value()
            #expect(changed[2].alias == "new" && changed[2].pay == 5 && changed[1].alias == nil)
            #expect(changed[299].alias == "new" && changed[0] == agents[0])
        }
    }

    @Test("Live queries report changed values, but not new encodings of equal ones", arguments: StoreKind.allCases)
    func live(kind: StoreKind) async throws {
        try await withRepository(kind, [Agent.self]) { repository in
            try await repository.insert((1...3).map { Agent.numbered($0) }).value()
            let query = Agent.where { $0.alias != nil }.sorted(by: \.id)
            let aliases = repository.fetchSubscription(query).map { $0.map(\.alias) }.record()
            let lists = repository.listSubscription(query).record()
            #expect(await aliases.values(1) == [["shadow", "shadow", "shadow"]])
            _ = await lists.values(1)
            // The items are equal, but their encodings are new.
            try await repository.update((1...3).map { Agent.numbered($0) }).value()
            try await repository.upsertAtomically((1...3).map { Agent.numbered($0) }).value()
            try await repository.update(Agent.self, id: 2, set: [.set(\.alias, to: "known")]).value()
            #expect(await aliases.values(2).last == ["shadow", "known", "shadow"])
            let update = try #require(await lists.values { $0.items.contains { $0.alias == "known" } }.last)
            #expect(update.changes.count == 2 && update.items.count == 3)
            try await repository.update(Agent.self, id: 1, set: [.set(\.alias, to: nil)]).value()
            #expect(await aliases.values(3).last == ["known", "shadow"])
            // Swift compares these as equal, but the store holds two texts.
            try await repository.update(Agent.self, id: 2, set: [.set(\.alias, to: "\u{E9}")]).value()
            _ = await aliases.values(4)
            try await repository.update(Agent.self, id: 2, set: [.set(\.alias, to: "e\u{301}")]).value()
            let texts = await aliases.values(5).suffix(2).map { Array(($0[0] ?? "").utf8) }
            #expect(texts == [Array("\u{E9}".utf8), Array("e\u{301}".utf8)])
            aliases.cancel()
            lists.cancel()
        }
    }

    @Test(
        "A scratch pad saves over a new encoding of an equal value, but not over a changed value",
        arguments: StoreKind.allCases)
    func scratchPad(kind: StoreKind) async throws {
        try await withRepository(kind, [Agent.self]) { repository in
            let agent = try await repository.create(Agent.numbered(1)).value()
            var edited = agent
            edited.name = "Smith"
            let pad = ScratchPad(repository)
            try pad.update(edited, from: agent)
            try await repository.update(agent).value()
            try await pad.save().value()
            #expect(try await repository.read(Agent.self, id: 1).value() == edited)
            let changes: [Assignment<Agent>] = [.set(\.alias, to: "other"), .set(\.tags, to: Tags(names: ["c"]))]
            for change in changes {
                let before = try await repository.read(Agent.self, id: 1).value()
                try pad.delete(before)
                try await repository.update(Agent.self, id: 1, set: [change]).value()
                await expectFailure({ $0 == .conflict(items: [FailedItem(entity: "Agent", id: "1")]) }) {
                    try await pad.save().value()
                }
                pad.discard()
            }
        }
    }

    @Test(
        "An opaque column works with upsert, findOrCreate, batches, rows by name and JSON encoding",
        arguments: StoreKind.allCases)
    func verbs(kind: StoreKind) async throws {
        try await withRepository(kind, [Agent.self]) { repository in
            let agents = (1...3).map { Agent.numbered($0) }
            #expect(try await repository.upsert(agents[0]).value() == agents[0])
            #expect(try await repository.upsert(agents).value().success == agents)
            let found = try await repository.findOrCreate(Agent.self, ids: [1, 4]) { Agent.numbered($0) }.value()
            #expect(found == [agents[0], .numbered(4)])
            var other = agents[1]
            other.alias = "anew"
            #expect(
                try await repository.upsert(other, on: [\.id], updating: [\.alias]).value() == other)
            let batch = try await repository.create([agents[0], .numbered(5)]).value()
            #expect(batch.success == [.numbered(5)] && batch.failed.count == 1)
            try await repository.insert(
                Agent.self,
                rows: [["id": 6, "name": "Six", "pay": Decimal(6), "isActive": true, "tags": Tags(names: [])]]
            ).value()
            let six = try await repository.read(Agent.self, id: 6).value()
            #expect(six.alias == nil && six.pay == 6 && six.isActive)
            let json = try JSONEncoder().encode(ColumnCoded(other))
            #expect(String(decoding: json, as: UTF8.self).contains("\"alias\":\"anew\""))
            #expect(try JSONDecoder().decode(ColumnCoded<Agent>.self, from: json).item == other)
        }
    }

    @Test("S-M5 An update of many items encrypts the value for each of them", arguments: StoreKind.allCases)
    func updatedTogether(kind: StoreKind) async throws {
        try await withRepository(kind, [Agent.self]) { repository async throws in
            try await repository.insert((1...6).map { Agent.numbered($0) }).value()
            let set: [Assignment<Agent>] = [.set(\.alias, to: "fox"), .set(\.name) { $0.name }]
            let count = try await repository.update(Agent.self, set: set) { $0.id > 1 }.value()
            #expect(count == 5)
            let ids = try await repository.updateReturningIDs(
                Agent.self, set: [.set(\.pay, to: 7), .set(\.alias, to: "owl")]
            ) { $0.id < 4 }.value()
            #expect(ids.sorted() == [1, 2, 3])
            let sql: SQL = "SELECT count(DISTINCT \"alias\"), count(DISTINCT \"pay\") FROM \"Agent\""
            let distinct = try await repository.rows(sql, as: (Int, Int).self).value()
            #expect(distinct[0] == (6, 6))
            let agents = try await repository.fetch(Agent.all.sorted(by: \.id)).value()
            #expect(agents.map(\.alias) == ["owl", "owl", "owl", "fox", "fox", "fox"])
            #expect(agents.map(\.pay).prefix(4) == [7, 7, 7, Decimal(4) / 100])
            #expect(try await repository.update(Agent.self, set: [.set(\.alias, to: nil)]) { _ in .true }.value() == 6)
            #expect(try await repository.count(Agent.self) { $0.alias == nil }.value() == 6)
        }
    }

    @Test("S-L6 The values of an encrypted column can be counted in a term too", arguments: StoreKind.allCases)
    func counted(kind: StoreKind) async throws {
        try await withRepository(kind, [Agent.self]) { repository async throws in
            try await repository.insert([.numbered(1), .numbered(2, alias: nil), Agent.numbered(3)]).value()
            let counts = try await repository.fetch(Agent.all.aggregate { ($0.alias.count(), $0.pay.count()) }).value()
            #expect(counts.count == 1 && counts[0] == (2, 3))
            await expectFailure(isRefusal) {
                try await repository.fetch(Agent.all.aggregate { $0.alias.count(distinct: true) }).value()
            }
        }
    }
}
