import Foundation
import SignalRepository
import Signals
import Testing

// A model of three versions: a player has a team (one to many) and tags (many to many), a position and some statistics.
private enum V1 {
    struct Player: Entity {
        let id: UUID
        var name: String
        var team: String
        static let schema = Schema(
            Column("id", \Player.id), Column("name", \.name), Column("team", \.team), make: Player.init)
    }
}

private enum Position: String, ColumnValue { case keeper, field }
private struct Statistics: Codable, Hashable { var goals = 0, seasons: [Int] = [] }

private struct Team: Entity, Equatable {
    var id = 0
    var name: String
    static let schema = Schema(Column("id", \Team.id, .generated), Column("name", \.name, .unique), make: Team.init)
}

private struct Player: Entity, Hashable {
    let id: UUID
    var fullName: String
    var teamID: Int?
    var position = Position.field
    var statistics = Statistics()
    static let schema = Schema(
        Column("id", \Player.id), Column("fullName", \.fullName),
        Column("teamID", \.teamID, .references(Team.self, onDelete: .cascade)),
        Column("position", \.position, .default(.field)),
        Column("statistics", json: \.statistics, .default(Statistics())),
        make: { Player(id: $0, fullName: $1, teamID: $2, position: $3, statistics: $4) })
}

private struct Tag: Entity, Equatable {
    let id: String
    static let schema = Schema(Column("id", \Tag.id), make: Tag.init)
}

private struct PlayerTag: Entity, Equatable {
    let playerID: UUID
    let tagID: String
    var id: CompositeKey<UUID, String> { CompositeKey(playerID, tagID) }
    static let schema = Schema(
        Column("playerID", \PlayerTag.playerID, .references(Player.self, onDelete: .cascade)),
        Column("tagID", \.tagID, .references(Tag.self, onDelete: .cascade)), key: [\.playerID, \.tagID],
        make: PlayerTag.init)
}

private let versions = [
    Migration("a name is a full name") { store in try store.renameColumn("name", to: "fullName", of: "Player") },
    Migration("teams are items") { store in
        try store.renameTable("Player", to: "Old")
        try store.createTable(Team.self)
        try store.createTable(Player.self)
        try store.execute("INSERT INTO Team (name) SELECT DISTINCT team FROM Old ORDER BY team")
        try store.copy("Old", to: Player.self)
        try store.execute(
            "UPDATE Player SET teamID = (SELECT t.id FROM Old o JOIN Team t ON t.name = o.team WHERE o.id = Player.id)")
        try store.dropTable("Old")
    },
]

@Suite("Players, teams and tags") struct PlayersTests {
    private let entities: [any Entity.Type] = [Team.self, Player.self, Tag.self, PlayerTag.self]

    @Test("Three versions of the model, and cascading deletions")
    func players() async throws {
        try await withFolder { folder in
            let path = folder + "/players.sqlite"
            let old = try SQLiteRepository(.file(path), entities: V1.Player.self)
            let first = [("Ann", "Reds"), ("Bo", "Blues"), ("Cy", "Reds")].enumerated().map {
                V1.Player(id: Film.id($0.offset), name: $0.element.0, team: $0.element.1)
            }
            try await old.insert(first).value()
            await closed(old)

            let store = try SQLiteRepository(.file(path), entities: entities, migrations: versions)
            let teams = try await store.fetch(Team.all.sorted(by: \.name)).value()
            #expect(teams == [Team(id: 1, name: "Blues"), Team(id: 2, name: "Reds")])
            let reds = Player.where { $0.teamID == teams[1].id }.sorted(by: \.fullName)
            let players = try await store.fetch(reds).value()
            #expect(players == [0, 2].map { Player(id: first[$0].id, fullName: first[$0].name, teamID: 2) })

            var ann = players[0]
            (ann.position, ann.statistics) = (.keeper, Statistics(goals: 3, seasons: [2024, 2025]))
            #expect(try await store.update(ann).value() == ann)
            try await store.insert([Tag(id: "fast"), Tag(id: "young")]).value()
            let tags = players.map { PlayerTag(playerID: $0.id, tagID: "fast") }
            try await store.insert(tags + [PlayerTag(playerID: ann.id, tagID: "young")]).value()
            await expectFailure(\.isConstraint) {
                try await store.create(PlayerTag(playerID: ann.id, tagID: "unknown")).value()
            }
            let fast = try await store.fetch(PlayerTag.where { $0.tagID == "fast" }).value().map(\.playerID)
            #expect(Set(try await store.fetch(Player.where { $0.id.isIn(fast) }).value()) == Set([ann, players[1]]))
            #expect(try await store.fetch(Player.where { $0.position == .keeper }).value() == [ann])

            try await store.delete(teams[1]).value()
            #expect(try await store.fetch(Player.all).value().map(\.fullName) == ["Bo"])
            #expect(try await store.count(PlayerTag.self).value() == 0)
            #expect(try await store.count(Tag.self).value() == 2)
            await closed(store)
        }
    }

    @Test("A deep tree is deleted with its root", arguments: StoreKind.allCases, [1, 2, 11, 900])
    func deep(kind: StoreKind, depth: Int) async throws {
        try await withRepository(kind, [Folder.self]) { repository async throws in
            try await repository.insert((0..<depth).map { Folder(id: $0, parentID: $0 == 0 ? nil : $0 - 1) }).value()
            try await repository.delete(Folder.self, id: 0).value()
            #expect(try await repository.count(Folder.self).value() == 0)
        }
    }

    @Test("A table with indexes is replaced by another with its name")
    func replaced() async throws {
        try await withFolder { folder in
            let path = folder + "/folders.sqlite"
            let old = try SQLiteRepository(.file(path), entities: Label.self)
            try await old.insert([Label(id: 1, text: "a", color: 7), Label(id: 2, text: "b", color: 8)]).value()
            await closed(old)
            let step = Migration("colors have names") { store in
                try store.renameTable("Label", to: "Old")
                try store.createTable(Label.Named.self)
                try store.execute("INSERT INTO Label SELECT id, text, 'color ' || color FROM Old")
                try store.dropTable("Old")
            }
            let new = try SQLiteRepository(.file(path), entities: [Label.Named.self], migrations: [step])
            let labels = try await new.fetch(Label.Named.all.sorted(by: \.id)).value()
            #expect(labels.map(\.color) == ["color 7", "color 8"])
            await expectFailure(\.isConstraint) {
                try await new.create(Label.Named(id: 3, text: "a", color: "")).value()
            }
            let plan = try await new.explain(Label.Named.where { $0.color == "color 7" }).value()
            #expect("\(plan)".contains("index_Label(color)"))
            await closed(new)
        }
    }
}

private struct Folder: Entity {
    let id: Int
    var parentID: Int?
    static let schema = Schema(
        Column("id", \Folder.id), Column("parentID", \.parentID, .references(Folder.self, onDelete: .cascade)),
        make: Folder.init)
}

private struct Label: Entity {
    let id: Int
    var text: String
    var color: Int
    static let schema = Schema(
        Column("id", \Label.id), Column("text", \.text, .unique), Column("color", \.color, .indexed), make: Label.init)

    struct Named: Entity {
        let id: Int
        var text: String
        var color: String
        static let entityName = "Label"
        static let schema = Schema(
            Column("id", \Named.id), Column("text", \.text, .unique), Column("color", \.color, .indexed),
            make: Named.init)
    }
}
