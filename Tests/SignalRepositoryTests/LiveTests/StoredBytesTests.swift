import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("Texts compared by their bytes", .timeLimit(.minutes(10))) struct StoredBytesTests {
    /// One scalar and two, which Swift treats as the same text.
    private static let (one, two) = ("\u{e9}", "e\u{301}")

    // The store must report the rows that change.
    @Test("R14 Change sets distinguish two keys that Swift treats as equal", arguments: StoreKind.local)
    func changes(kind: StoreKind) async throws {
        try await withRepository(kind, [Entry.self]) { repository in
            let changes = repository.changes().record()
            let (one, two) = (Entry(id: Self.one, text: "1", uses: 1), Entry(id: Self.two, text: "2", uses: 2))
            try await repository.insert([one, two]).value()
            try await repository.transaction { store in
                try store.update(Entry(id: Self.one, text: "new", uses: 1))
                try store.delete(two)
            }.value()
            try await repository.transaction { store in
                try store.execute("UPDATE Entry SET id = ? WHERE id = ?", Self.two, Self.one)
            }.value()
            let sets = await changes.values(3)
            try #require(sets.count == 3)
            #expect(try sets[0].inserted(of: Entry.self).isStored(like: [one, two]))
            #expect(try sets[1].updated(of: Entry.self).map(\.new.text) == ["new"])
            #expect(try sets[1].deleted(of: Entry.self).isStored(like: [two]))
            #expect(try sets[2].deleted(of: Entry.self).map(\.id).isStored(like: [Self.one]))
            #expect(try sets[2].inserted(of: Entry.self).map(\.id).isStored(like: [Self.two]))
            changes.cancel()
        }
    }

    @Test("R7 A live value whose stored text changed is delivered, even if Swift treats both texts as equal")
    func live() async throws {
        for kind in StoreKind.allCases {
            try await withRepository(kind, [Entry.self, Tagged.self]) { repository in
                try await repository.create(Entry(id: "k", text: Self.one, uses: 1)).value()
                try await repository.create(Tagged(id: 1, tags: [Self.one], kind: .some(Self.one))).value()
                let items = repository.fetchSubscription(Entry.all).record()
                let item = repository.readSubscription(Entry.self, id: "k").record()
                let own = repository.rowsSubscription(#"SELECT * FROM "Entry""#, as: Entry.self).record()
                let least = repository.minSubscription(of: \Entry.text).record()
                let most = repository.aggregateSubscription(.max, of: \Entry.uses, groupedBy: \.text).record()
                let counts = repository.follow(Entry.all.count(groupedBy: \.text)).record()
                let rows = repository.follow(LiveQuery { try $0.rows(#"SELECT text FROM "Entry""#) }).record()
                let tagged = repository.fetchSubscription(Tagged.all).record()
                _ = await (items.values(1), item.values(1), own.values(1), least.values(1), most.values(1))
                _ = await (counts.values(1), rows.values(1), tagged.values(1))
                try await repository.update(Entry(id: "k", text: Self.two, uses: 1)).value()
                try await repository.update(Tagged(id: 1, tags: [Self.two], kind: .some(Self.one))).value()
                try await repository.update(Tagged(id: 1, tags: [Self.two], kind: .some(Self.two))).value()
                #expect(await items.values(2).last?.first?.text.isStored(like: Self.two) == true)
                #expect(await item.values(2).last??.text.isStored(like: Self.two) == true)
                #expect(await own.values(2).last?.first?.text.isStored(like: Self.two) == true)
                #expect(await least.values(2).last??.isStored(like: Self.two) == true)
                #expect(await most.values(2).last?.first?.key.isStored(like: Self.two) == true)
                #expect(await counts.values(2).last?.first?.key.isStored(like: Self.two) == true)
                #expect(await rows.values(2).last?.value == [[.text(Self.two)]])
                await tagged.values(until: { $0.first?.kind?.isStored(like: Self.two) == true })
                #expect(tagged.values.last?.first?.tags.isStored(like: [Self.two]) == true)
            }
        }
    }

    @Test("Two statements that Swift treats as equal stay two", arguments: StoreKind.allCases)
    func statements(kind: StoreKind) async throws {
        try await withRepository(kind, [Entry.self]) { repository in
            try await repository.insert([
                Entry(id: "1", text: Self.one, uses: 1), Entry(id: "2", text: Self.two, uses: 2),
            ]).value()
            let found = try await repository.read { store in
                [
                    try store.rows(#"SELECT id FROM "Entry" WHERE text = '\#u{e9}'"#),
                    try store.rows(#"SELECT id FROM "Entry" WHERE text = 'e\#u{301}'"#),
                ]
            }.value()
            #expect(found == [[[.text("1")]], [[.text("2")]]])
        }
    }

    @Test("Stored texts are equal if and only if their bytes are, and then have equal hashes")
    func values() {
        for (index, left) in TextZoo.texts.enumerated() {
            for (other, right) in TextZoo.texts.enumerated() {
                let (left, right) = (SQLValue.text(left), SQLValue.text(right))
                #expect((left == right) == (index == other))
                if index == other { #expect(left.hashValue == right.hashValue) }
            }
        }
        #expect(Set(TextZoo.texts.map { SQLValue.text($0) }).count == TextZoo.texts.count)
    }

    struct Tagged: Entity, Equatable {
        let id: Int
        var tags: [String]
        var kind: String?
        static let schema = Schema(
            Column("id", \Tagged.id), Column("tags", json: \.tags), Column("kind", \.kind), make: Tagged.init)
    }
}
