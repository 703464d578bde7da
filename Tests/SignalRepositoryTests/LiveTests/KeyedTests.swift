import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

/// A striker with a club and its coach, either of which may be missing.
private struct MaybeInfo: JoinedRow, Equatable {
    let player: Striker
    let team: Club?
    let coach: Trainer?

    private static let team = Side(\MaybeInfo.team) { $0.player.teamID == $0.team.id }
    private static let coach = Side(\MaybeInfo.coach) { $0.team.coachID == $0.coach.id }
    static let join = Join(Side(\MaybeInfo.player), team, coach) { MaybeInfo(player: $0, team: $1, coach: $2) }
}

/// Tests which live queries of several tables are re-read by the keys of changed rows; the random histories test their
/// values.
@Suite("Live queries of several tables that are re-read by key", .timeLimit(.minutes(10))) struct KeyedTests {
    /// Attaches a live query, makes commits, compares its values with fresh reads, and returns how they were updated.
    private func counts<Value: Sendable & Equatable>(
        _ kind: StoreKind = .memory,
        _ signal: (any Repository) -> Signal<Value, RepositoryError>,
        _ fresh: (any Repository) -> Signal<Value, RepositoryError>,
        after commits: [@Sendable (WriteTransaction) throws -> Void] = Self.changes
    ) async throws -> (rereadByKey: Int, read: Int) {
        var counts = (rereadByKey: 0, read: 0)
        try await withLeague(kind) { repository, _ in
            let recorder = signal(repository).record()
            _ = await recorder.values(1)
            let before = repository.statistics
            for commit in commits {
                try await repository.transaction(commit).value()
                let right = try await fresh(repository).value()
                await recorder.values { $0 == right }
                // A new query gets its first value after the pass that handles the commit.
                try await repository.countSubscription(Club.self).value()
            }
            let after = repository.statistics
            counts = (
                after.rereadByKey - before.rereadByKey, after.reread + after.refilled - before.reread - before.refilled
            )
            recorder.cancel()
        }
        return counts
    }

    /// Changes of rows of each table, and of several tables in one commit.
    private static let changes: [@Sendable (WriteTransaction) throws -> Void] = [
        { try $0.update(Striker.self, id: 3, set: [.set(\.rating, to: 9)]) },
        { try $0.update(Striker.self, id: 4, set: [.set(\.teamID, to: nil)]) },
        { try $0.update(Striker.self, id: 5, set: [.set(\.teamID, to: 2)]) },
        { try $0.update(Club.self, id: 2, set: [.set(\.name, to: "another"), .set(\.city, to: "Bath")]) },
        { store in
            try store.update(Club.self, id: 3, set: [.set(\.coachID, to: 1)])
            try store.update(Striker.self, set: [.set(\.teamID, to: 3)]) { $0.id.isIn([6, 7]) }
            try store.delete(Striker.self, id: 8)
        },
        { try $0.update(Trainer.self, id: 1, set: [.set(\.name, to: "somebody")]) },
    ]

    @Test("R4 R17 A join follows the rows of its tables, and is not read again", arguments: StoreKind.allCases)
    func joins(kind: StoreKind) async throws {
        let joined = Striker.joined(to: Club.self).where { player, _ in player.rating >= 2 }
        let first = try await counts(kind, { $0.fetchSubscription(joined) }, { $0.fetch(joined) })
        #expect(first.rereadByKey >= 3 && first.read == 0)
        let top = Striker.leftJoined(to: Club.self).sorted(.descending) { player, _ in player.rating }.limit(10)
        let second = try await counts(kind, { $0.fetchSubscription(top) }, { $0.fetch(top) })
        #expect(second.rereadByKey >= 3 && second.read == 0)
        let infos = StrikerInfo.all.sorted { $0.team.name }.sorted { $0.player.goals }.limit(12).offset(2)
        let third = try await counts(kind, { $0.fetchSubscription(infos) }, { $0.fetch(infos) })
        #expect(third.rereadByKey >= 3 && third.read == 0)
        let clubs = MaybeInfo.all.including(many: Club.all, by: \.coachID, of: \.coach)
        let chain = try await counts(kind, { $0.fetchSubscription(clubs) }, { $0.fetch(clubs) })
        #expect(chain.rereadByKey >= 3 && chain.read == 0)
        let computed = Striker.joined(to: Club.self).sorted { player, _ in player.goals * 2 }
        let fourth = try await counts(kind, { $0.fetchSubscription(computed) }, { $0.fetch(computed) })
        #expect(fourth.rereadByKey >= 3 && fourth.read == 0)
        let one = try await counts(kind, { $0.firstSubscription(infos) }, { $0.first(infos) })
        #expect(one.rereadByKey >= 3)
    }

    @Test("R4 R17 Included items follow the rows of their tables and are not read again", arguments: StoreKind.allCases)
    func including(kind: StoreKind) async throws {
        let many = Club.all.including(many: Striker.all.sorted(by: \.rating, .descending).limit(2), by: \.teamID)
            .including(parent: Trainer.all, by: \.coachID).sorted(by: \.name)
        let first = try await counts(kind, { $0.fetchSubscription(many) }, { $0.fetch(many) })
        #expect(first.rereadByKey >= 3 && first.read == 0)
        let counted = Club.all.including(count: Striker.where { $0.rating > 2 }, by: \.teamID).limit(3)
        let second = try await counts(kind, { $0.fetchSubscription(counted) }, { $0.fetch(counted) })
        #expect(second.rereadByKey >= 3 && second.read == 0)
        let coaches = Trainer.all.including(many: Club.all.including(many: Striker.all, by: \.teamID), by: \.coachID)
        let third = try await counts(kind, { $0.fetchSubscription(coaches) }, { $0.fetch(coaches) })
        #expect(third.rereadByKey >= 3 && third.read == 0)
        let side = Striker.joined(to: Club.self).including(many: Striker.all, by: \.teamID, of: \.right)
            .including(parent: Trainer.all, by: \.coachID, of: \.right)
        let fourth = try await counts(kind, { $0.fetchSubscription(side) }, { $0.fetch(side) })
        #expect(fourth.rereadByKey >= 3 && fourth.read == 0)
        let one = try await counts(kind, { $0.follow(many.first) }, { $0.fetch(many.first) })
        #expect(one.rereadByKey >= 3)
    }

    @Test("R4 R17 A condition on other items follows their rows, and is not read again", arguments: StoreKind.allCases)
    func conditions(kind: StoreKind) async throws {
        let clubs = Club.where { $0.exists(Striker.self, by: \.teamID) { $0.rating > 3 } }.sorted(by: \.name)
        let first = try await counts(kind, { $0.fetchSubscription(clubs) }, { $0.fetch(clubs) })
        #expect(first.rereadByKey >= 3 && first.read == 0)
        let large = Club.where { $0.count(of: Striker.self, by: \.teamID) > 6 }
        let second = try await counts(
            kind, { $0.listSubscription(large).map { Array($0.items) } }, { $0.fetch(large) })
        #expect(second.rereadByKey >= 3 && second.read == 0)
    }

    @Test("R4 A query with a raw condition is read again")
    func raw() async throws {
        let raw = Striker.joined(to: Club.self).where { player, _ in player.rating > 1 && .raw("1 = ?", 1) }
        let first = try await counts(.memory, { $0.fetchSubscription(raw) }, { $0.fetch(raw) })
        #expect(first.rereadByKey == 0 && first.read > 0)
    }

    @Test(
        "R4 R17 A join by any condition follows the rows of its tables, and is not read again",
        arguments: StoreKind.allCases)
    func unequal(kind: StoreKind) async throws {
        let joined = Striker.joined(to: Club.self) { $0.goals < $1.id && $1.city != "York" }
        let first = try await counts(kind, { $0.fetchSubscription(joined) }, { $0.fetch(joined) })
        #expect(first.rereadByKey >= 3 && first.read == 0)
        let left = Striker.leftJoined(to: Club.self) { $0.goals > $1.id * 3 || $0.name == $1.name }
            .sorted { $1.name }.limit(20)
        let second = try await counts(kind, { $0.fetchSubscription(left) }, { $0.fetch(left) })
        #expect(second.rereadByKey >= 3 && second.read == 0)
        let pairs = Club.joined(to: Club.self) { $0.id < $1.id }
            .including(many: Striker.where { $0.rating > 2 }, by: \.teamID, of: \.right)
            .including(parent: Trainer.all, by: \.coachID, of: \.left)
        let third = try await counts(kind, { $0.fetchSubscription(pairs) }, { $0.fetch(pairs) })
        #expect(third.rereadByKey >= 3 && third.read == 0)
        let sums = joined.grouped { $1.id }.aggregate { player, _ in player.goals.sum() }
        let text = { @Sendable (rows: [(Int, Int)]) in rows.map { "\($0)" } }
        let fourth = try await counts(
            kind, { $0.fetchSubscription(sums).map(text) }, { $0.fetch(sums).map(text) })
        #expect(fourth.rereadByKey >= 3 && fourth.read == 0)
        let fans = Striker.joined(to: Club.self) { player, club in
            player.goals < club.id && club.exists(Striker.self, by: \.teamID) { $0.rating > 3 }
        }
        let fifth = try await counts(kind, { $0.fetchSubscription(fans) }, { $0.fetch(fans) })
        #expect(fifth.rereadByKey >= 3 && fifth.read == 0)
    }

    @Test("R17 A commit of many rows of a table that any condition joins takes a few lookups of their keys")
    func manyUnequal() async throws {
        let joined = Club.leftJoined(to: Striker.self) { $0.id < $1.goals }.limit(40)
        let bulk: @Sendable (WriteTransaction) throws -> Void = { store in
            for id in 100..<400 {
                try store.create(Striker(id: id, name: "n", rating: 1, goals: id % 9, fee: 0, teamID: nil))
            }
            try store.update(Club.self, id: 3, set: [.set(\.name, to: "large")])
        }
        let counts = try await counts(
            .memory, { $0.fetchSubscription(joined) }, { $0.fetch(joined) }, after: [bulk] + Self.changes)
        #expect(counts.read == 0 && counts.rereadByKey >= 3)
    }

    @Test("R17 A query is re-read after a commit of too many rows, and looks up more than 512 keys if it has more rows")
    func many() async throws {
        let joined = Striker.joined(to: Club.self)
        let bulk: @Sendable (WriteTransaction) throws -> Void = { store in
            for id in 100..<3_100 {
                try store.create(
                    Striker(id: id, name: "n", rating: 1, goals: 0, fee: 0, teamID: id < 700 ? 6 : 5))
            }
        }
        // The new name changes 600 rows of the join, which has more than four times as many.
        let rename: @Sendable (WriteTransaction) throws -> Void = { store in
            try store.update(Club.self, id: 6, set: [.set(\.name, to: "large")])
        }
        let counts = try await counts(
            .memory, { $0.fetchSubscription(joined) }, { $0.fetch(joined) }, after: [bulk, rename] + Self.changes)
        #expect(counts.read == 1 && counts.rereadByKey >= 4)
        let sums = joined.grouped { $1.name }.aggregate { player, _ in player.rating.sum() }
        let grouped = try await self.counts(
            .memory, { $0.fetchSubscription(sums).map { rows in rows.map { "\($0)" } } },
            { $0.fetch(sums).map { rows in rows.map { "\($0)" } } }, after: [bulk, rename] + Self.changes)
        #expect(grouped.read == 1 && grouped.rereadByKey >= 4)
    }

    @Test("R17 V6 A query's condition on its first table bounds the items that a row of another table leads to")
    func demanded() async throws {
        let bulk: @Sendable (WriteTransaction) throws -> Void = { store in
            for id in 100..<700 {
                try store.create(Striker(id: id, name: "n", rating: 1, goals: 0, fee: 0, teamID: 6))
            }
        }
        let rename: @Sendable (WriteTransaction) throws -> Void = { store in
            try store.update(Club.self, id: 6, set: [.set(\.name, to: "large")])
        }
        // One item and its parent, which is another club.
        for id in [3, 4] {
            let card = Striker.where { $0.id == id }.including(parent: Club.all, by: \.teamID)
            let counts = try await counts(
                .memory, { $0.follow(card.first) }, { $0.fetch(card.first) }, after: [bulk, rename])
            #expect(counts.read == 0, "\(id)")
        }
        let joined = Striker.joined(to: Club.self).where { player, _ in player.id >= 3 && player.id < 5 }
        let tree = Trainer.where { $0.id == 1 }.including(
            many: Club.where { $0.id == 6 }.including(many: Striker.all, by: \.teamID), by: \.coachID)
        let first = try await counts(
            .memory, { $0.fetchSubscription(joined) }, { $0.fetch(joined) }, after: [bulk, rename] + Self.changes)
        #expect(first.read == 0)
        let second = try await counts(
            .memory, { $0.fetchSubscription(tree) }, { $0.fetch(tree) }, after: [bulk, rename] + Self.changes)
        #expect(second.read == 0)
    }

    @Test(
        "R17 V9 When one of its items changes, an included list with a limit is read only as far as that",
        arguments: StoreKind.allCases)
    func limited(kind: StoreKind) async throws {
        let texts = CurrentValue<[String], Never>([])
        var configuration = RepositoryConfiguration()
        configuration.statementLog = StatementLog { report in
            if report.sql.hasPrefix("SELECT") { texts.value.append(report.sql) }
        }
        try await withRepository(kind, League.entities, configuration: configuration) { repository in
            try await League(seed: 1).withoutNUL.store(in: repository)
            let query = Club.all.including(
                many: Striker.all.sorted(by: \.goals, .descending).limit(2).offset(1), by: \.teamID)
            let recorder = repository.fetchSubscription(query).record()
            _ = await recorder.values(1)
            let player = try #require(League(seed: 1).players.first { $0.teamID != nil }).id
            for goals in [100, 50, -50] {
                try await repository.update(Striker.self, id: player, set: [.set(\.goals, to: goals)]).value()
                let right = try await repository.fetch(query).value()
                await recorder.values { $0 == right }
            }
            #expect(repository.statistics.rereadByKey > 0)
            recorder.cancel()
            // Statements are reported in order, so this one is the last.
            _ = try await repository.fetch(Club.where { $0.name == "last" }).value()
            let seen = texts.signal.record()
            await seen.values { $0.contains { $0.contains("\"name\" = ") } }
            let families = texts.value.filter { $0.contains("\"goals\" DESC") }
            // Three of the first read, which also reads the rows that are not shown, and one of each fresh read.
            #expect(families.filter { $0.contains("row_number") }.count == 6, "\(families)")
            #expect(families.filter { !$0.contains("row_number") }.count == repository.statistics.rereadByKey)
        }
    }

    @Test("R17 A commit whose rows pass no side is nothing to a join, nor is one of another item's children to a tree")
    func unmatched() async throws {
        try await withLeague { repository, _ in
            let joined = Striker.joined(to: Club.self).where { $0.rating > 2 && $1.city == "Bath" }
            let tree = Club.where { $0.id == 2 }.including(many: Striker.all, by: \.teamID)
            let (rows, club) = (
                repository.fetchSubscription(joined).record(), repository.fetchSubscription(tree).record()
            )
            _ = await (rows.values(1), club.values(1))
            let before = repository.statistics
            try await repository.transaction { store in
                try store.create(Striker(id: 900, name: "weak", rating: 1, goals: 0, fee: 0, teamID: 1))
                try store.create(Club(id: 90, name: "far", city: "York", coachID: nil))
            }.value()
            try await repository.countSubscription(Club.self).value()
            let after = repository.statistics
            #expect(
                after.matched == before.matched && after.rereadByKey == before.rereadByKey
                    && after.reread == before.reread)
            try await repository.update(Striker.self, id: 900, set: [.set(\.teamID, to: 2)]).value()
            let right = try await repository.fetch(tree).value()
            await club.values { $0 == right }
            #expect(repository.statistics.reread == before.reread)
            rows.cancel()
            club.cancel()
        }
    }

    @Test("R14 After another program's commit a query is read again, and after later ones it is re-read by key")
    func elsewhere() async throws {
        try await withFolder { folder in
            let path = folder + "/store.sqlite"
            let repository = try SQLiteRepository(
                .file(path), entities: Club.self, Striker.self, Trainer.self)
            try await League(seed: 1).store(in: repository)
            let joined = Striker.joined(to: Club.self).sorted { $1.name }.limit(12)
            let recorder = repository.fetchSubscription(joined).record()
            _ = await recorder.values(1)
            let raw = try RawDatabase(path)
            try raw.run("UPDATE Club SET name = 'a' || id WHERE id > 2")
            raw.close()
            let renamed = try await repository.fetch(joined).value()
            await recorder.values { $0 == renamed }
            var before = repository.statistics
            // The writer polls by itself: after the first of these commits, it has noticed the other program's.
            for name in ["", "\0"] {
                before = repository.statistics
                try await repository.update(Club.self, id: 1, set: [.set(\.name, to: name)]).value()
                let right = try await repository.fetch(joined).value()
                await recorder.values { $0 == right }
            }
            let after = repository.statistics
            #expect(after.rereadByKey > before.rereadByKey && after.reread == before.reread)
            await closed(repository)
        }
    }

    @Test("R4 A nested condition on other items leads back through the conditions around it")
    func occurrences() throws {
        let query = Piece.where {
            $0.exists(Leaf.self, by: \.parent) { $0.exists(Leaf.self, by: \.parent) }
                || $0.exists(Leaf.self, by: \.piece) { $0.exists(Leaf.self, by: \.parent) { $0.name != "a" } }
        }
        let links = try #require(try SelectStatement(query).links())
        #expect(links.occurrences.map(\.link?.parent) == [nil, 0, 1, 0, 3])
        #expect(links.occurrences.map(\.link?.column.name) == [nil, "parent", "parent", "piece", "parent"])
        #expect(links.occurrences.map(\.link?.other.name) == [nil, "id", "id", "id", "id"])
    }
}
