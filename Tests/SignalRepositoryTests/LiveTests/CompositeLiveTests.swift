import SignalRepository
import Signals
import SignalsTesting
import Testing

/// A player's appearances in a year and a cup, whose key is three columns.
private struct Cap: Entity, Equatable {
    let year: Int
    let cup: String
    let player: Int
    var goals: Int?
    var rating: Double
    var id: CompositeKey<Int, Int, String> { CompositeKey(player, year, cup) }

    static let schema = Schema(
        Column("year", \Cap.year), Column("cup", \.cup), Column("player", \.player), Column("goals", \.goals),
        Column("rating", \.rating), key: [\.player, \.year, \.cup]
    ) { Cap(year: $0, cup: $1, player: $2, goals: $3, rating: $4) }
}

private struct Scorer: Entity, Equatable {
    let id: Int
    var name: String

    static let schema = Schema(Column("id", \Scorer.id), Column("name", \.name), make: Scorer.init)
}

@Suite("Live queries of tables with composite keys", .timeLimit(.minutes(10))) struct CompositeLiveTests {
    private static let joined = Cap.joined(to: Scorer.self) { $0.player == $1.id }

    private static let queries = [
        FollowedText("all", Cap.all),
        FollowedText("some", Cap.where { $0.goals > 1 && $0.cup != "B" }.sorted(by: \.year).limit(4).offset(1)),
        FollowedText("backwards", Cap.all.sorted(by: \.rating, .descending).last),
        FollowedText("an item", Cap.where { $0.player == 2 && $0.year == 2 && $0.cup == "A" }),
        FollowedText("terms", Cap.all.sorted(by: \.cup, .descending).select { ($0.cup, $0.goals, $0.year) }.limit(5)),
        FollowedText("cups", Cap.all.select { ($0.cup, $0.year) }.distinct()),
        FollowedText("sums", Cap.all.grouped { $0.cup }.aggregate { ($0.goals.sum(), $0.rating.max()) }),
        FollowedText("scorers", joined),
        FollowedText("named scorers", joined.where { $1.name > "b" }.sorted { $1.name }.limit(6)),
        FollowedText("count", joined.where { $1.name != "c" }.count),
        FollowedText("sums of names", joined.grouped { $1.name }.aggregate { cap, _ in cap.goals.sum() }),
        FollowedText(
            "sums of some", joined.aggregate { cap, _ in (cap.goals.sum(where: cap.year > 1), cap.rating.sum()) }),
        FollowedText("names of cups", joined.select { ($1.name, $0.cup) }.distinct()),
        FollowedText(
            "perhaps scorers", Cap.leftJoined(to: Scorer.self) { $0.player == $1.id && $1.name < "c" }.limit(9)),
        FollowedText("with the scorer", Cap.all.including(parent: Scorer.all, by: \.player).limit(7)),
        FollowedText(
            "the caps of each",
            Scorer.all.including(many: Cap.where { $0.goals > 0 }.sorted(by: \.cup).limit(2), by: \.player)),
        FollowedText("who has a cap", Scorer.where { $0.exists(Cap.self, by: \.player) { $0.goals > 2 } }),
        FollowedText("who has many", Scorer.where { $0.count(of: Cap.self, by: \.player) > 2 }.count),
        FollowedText("pairs", Cap.joined(to: Cap.self) { $0.year == $1.year && $0.player < $1.player }.count),
    ]

    private static func commit(_ random: inout SeededGenerator) -> @Sendable (WriteTransaction) throws -> Void {
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        let cap = Cap(
            year: number(1...3), cup: ["A", "B", "a"][number(0...2)], player: number(1...4),
            goals: number(0...3) == 0 ? nil : number(0...4), rating: Double(number(0...8)) / 4)
        let scorer = Scorer(id: number(1...4), name: ["a", "b", "c", "d"][number(0...3)])
        return switch number(0...7) {
        case 0...2: { try $0.upsert(cap) }
        case 3: { try $0.upsert(scorer) }
        case 4: { try $0.delete(Cap.self) { $0.player == cap.player && $0.year == cap.year } }
        case 5: { try $0.delete(Scorer.self) { $0.id == scorer.id } }
        case 6: { try $0.update(Cap.self, set: [.set(\.goals, to: cap.goals)]) { $0.cup == cap.cup } }
        default:
            { store in
                try store.upsert(scorer)
                try store.update(Cap.self, set: [.set(\.rating, to: cap.rating)]) { $0.player == scorer.id }
                try store.upsert(cap)
            }
        }
    }

    @Test("R4 R17 A live value equals a fresh one after each commit", arguments: StoreKind.allCases, 0..<3)
    func random(kind: StoreKind, seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        try await withRepository(kind, [Cap.self, Scorer.self]) { repository in
            let recorders = Self.queries.map { $0.follow(repository) }
            for recorder in recorders { _ = await recorder.values(1) }
            let before = repository.statistics
            for step in 0..<40 {
                try await repository.transaction(Self.commit(&random)).value()
                for (query, recorder) in zip(Self.queries, recorders) {
                    let fresh = try await query.fresh(repository)
                    let found = await recorder.last(where: { $0 == fresh })
                    #expect(found == fresh, "\(query.name), seed \(seed), step \(step)")
                }
            }
            #expect(repository.statistics.reread - before.reread < 40)
            for recorder in recorders { recorder.cancel() }
        }
    }
}
