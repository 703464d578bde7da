import Foundation
import SignalRepository
import Signals
import Testing

/// The first version of a store: players and their salaries.
private enum One {
    struct Player: Entity, Equatable {
        let id: UUID
        var name: String
        var team: String
        var salary: Decimal
        static let schema = Schema(
            Column("id", \Player.id), Column("name", \.name), Column("team", \.team, .indexed),
            Column("salary", \.salary, .scale(2)), make: Player.init)
    }

    static let players = [
        Player(id: UUID(), name: "Ann", team: "Reds", salary: 1234.56),
        Player(id: UUID(), name: "Bo", team: "Blues", salary: 10),
        Player(id: UUID(), name: "Cy", team: "Reds", salary: 0),
    ]
}

/// The second version: a column is renamed, and a level is new.
private enum Two {
    enum Level: String, ColumnValue { case rookie, star }
    struct Player: Entity, Equatable {
        let id: UUID
        var fullName: String
        var team: String
        var salary: Decimal
        var level: Level
        static let schema = Schema(
            Column("id", \Player.id), Column("fullName", \.fullName), Column("team", \.team, .indexed),
            Column("salary", \.salary, .scale(2)), Column("level", \.level), make: Player.init)
    }

    static let step = Migration("name becomes fullName") { store in
        try store.renameColumn("name", to: "fullName", of: "Player")
        try store.addColumn(\Player.level, value: .rookie)
    }
}

/// The third version: salaries and teams have their own tables.
private enum Three {
    struct Player: Entity, Equatable {
        let id: UUID
        var fullName: String
        var level: Two.Level
        static let schema = Schema(
            Column("id", \Player.id), Column("fullName", \.fullName), Column("level", \.level), make: Player.init)
    }
    struct Contract: Entity, Equatable {
        let id: UUID
        var salary: Decimal
        static let schema = Schema(
            Column("id", \Contract.id, .references(Player.self, onDelete: .cascade)),
            Column("salary", \.salary, .scale(2)), make: Contract.init)
    }
    struct Team: Entity, Equatable {
        let id: String
        static let schema = Schema(Column("id", \Team.id), make: Team.init)
    }

    static let step = Migration("contracts and teams") { store in
        try store.createTable(Contract.self)
        try store.copy("Player", to: Contract.self)
        try store.createTable(Team.self)
        for case .text(let team) in try store.rows("SELECT DISTINCT team FROM \"Player\" ORDER BY 1").map({ $0[0] }) {
            try store.insert([Team(id: team)])
        }
        try store.dropColumn("salary", of: "Player")
        try store.dropColumn("team", of: "Player")
    }
}

@Suite("Migrations by entities", .timeLimit(.minutes(10))) struct MigrationTablesTests {
    @Test(
        "The first and the second version migrate to the third, with a renamed column and a split table",
        arguments: StoreKind.kept)
    func versions(kind: StoreKind) async throws {
        for isDirect in [false, true] {
            let place = try StorePlace(kind)
            try await place.with([One.Player.self]) { try await $0.insert(One.players).value() }
            if !isDirect {
                try await place.with([Two.Player.self], [Two.step]) { repository in
                    let players = One.players.map {
                        Two.Player(id: $0.id, fullName: $0.name, team: $0.team, salary: $0.salary, level: .rookie)
                    }
                    let stored = try await repository.fetch(Two.Player.all.sorted(by: \.fullName)).value()
                    #expect(
                        stored.map(\.fullName) == players.map(\.fullName) && stored.allSatisfy { $0.level == .rookie })
                    #expect(stored[0].salary == Decimal(string: "1234.56"))
                }
            }
            let entities: [any Entity.Type] = [Three.Player.self, Three.Contract.self, Three.Team.self]
            try await place.with(entities, [Two.step, Three.step]) { repository in
                let players = try await repository.fetch(Three.Player.all.sorted(by: \.fullName)).value()
                #expect(players == One.players.map { Three.Player(id: $0.id, fullName: $0.name, level: .rookie) })
                let contracts = try await repository.fetch(Three.Contract.all).value()
                    .sorted { $0.salary > $1.salary }
                #expect(contracts.map(\.id) == One.players.map(\.id))
                #expect(contracts.map(\.salary) == [Decimal(string: "1234.56"), 10, 0])
                let teams = try await repository.fetch(Three.Team.all.sorted(by: \.id)).value()
                #expect(teams.map(\.id) == ["Blues", "Reds"])
                try await repository.delete(players[0]).value()
                let count = try await repository.count(Three.Contract.self).value()
                #expect(count == 2)
            }
        }
    }

    private struct Note1: Entity {
        let id: Int
        var name: String
        static let entityName = "Note"
        static let schema = Schema(Column("id", \Note1.id), Column("name", \.name), make: Note1.init)
    }

    private struct Note2: Entity, Equatable {
        let id: Int
        var name: String
        var note: String?
        static let entityName = "Note"
        static let schema = Schema(
            Column("id", \Note2.id), Column("name", \.name), Column("note", \.note), make: Note2.init)
    }

    @Test(
        "S-M8 The error of a step that uses an inferred column names a remedy that works",
        arguments: StoreKind.kept)
    func skippedVersion(kind: StoreKind) async throws {
        let use: @Sendable (MigrationTransaction) throws -> Void = { store in
            try store.execute("UPDATE \"Note\" SET \"note\" = trim(\"note\")")
        }
        let isMended: @Sendable (MigrationTransaction) throws -> Void = { store in
            try store.addColumn(\Note2.note, value: nil)
            try use(store)
        }
        for isDirect in [true, false] {
            let place = try StorePlace(kind)
            try await place.with([Note1.self]) { try await $0.create(Note1(id: 1, name: "a")).value() }
            if isDirect {
                let error = try place.refusal([Note2.self], [Migration("notes are trimmed", use)])
                guard case .migrationFailed("notes are trimmed", let cause) = error else {
                    return #expect(Bool(false), "\(error)")
                }
                #expect("\(cause)".contains("begin the step with try store.addColumn(\\Note.note, value: …)"))
            } else {
                try await place.with([Note2.self]) { repository in
                    try await repository.update(Note2.self, set: [.set(\.note, to: " x ")]) { _ in .true }.value()
                }
            }
            try await place.with([Note2.self], [Migration("notes are trimmed", isMended)]) { repository in
                let notes = try await repository.fetch(Note2.all).value()
                #expect(notes == [Note2(id: 1, name: "a", note: isDirect ? nil : "x")])
            }
        }
    }

    @Test("Each kind of mistake is named, and the store stays unchanged", arguments: StoreKind.kept)
    func wrong(kind: StoreKind) async throws {
        let place = try StorePlace(kind)
        let isFile = kind == .file
        try await place.with([One.Player.self]) { try await $0.insert(One.players).value() }
        let steps: [(String, @Sendable (MigrationTransaction) throws -> Void)] = [
            ("no column pay", { try $0.copy("Player", to: Two.Player.self, from: ["salary": "pay"]) }),
            ("declares no column wage", { try $0.copy("Player", to: Two.Player.self, from: ["wage": "salary"]) }),
            ("has no table Players", { try $0.copy("Players", to: Two.Player.self) }),
            (
                "2 decimal places",
                {
                    try $0.createTable(Pay.self); try $0.copy("Player", to: Pay.self)
                }
            ),
            (isFile ? "no such column" : "does not exist", { try $0.renameColumn("title", to: "name", of: "Player") }),
            ("already exists", { try $0.createTable(One.Player.self) }),
            (isFile ? "no such table" : "does not exist", { try $0.dropTable("Team") }),
            ("has no table Team", { try $0.dropColumn("x", of: "Team") }),
        ]
        for (words, body) in steps {
            let error = try place.refusal([One.Player.self], [Migration("step", body)])
            #expect("\(error)".contains(words), "\(error)")
        }
        try await place.with([One.Player.self]) { repository in
            let players = try await repository.fetch(One.Player.all.sorted(by: \.name)).value()
            #expect(players.map(\.name) == ["Ann", "Bo", "Cy"])
        }
    }

    @Test(
        "All differences between the store and the declaration are named, column by column",
        arguments: StoreKind.kept)
    func differences(kind: StoreKind) async throws {
        let place = try StorePlace(kind)
        try await place.with([One.Player.self]) { _ in }
        let error = try place.refusal([Different.self])
        guard case .schemaMismatch(let detail) = error else { return #expect(Bool(false), "\(error)") }
        let differences = [
            "Player.team is declared as \(place.word(.integer)) and stored as \(place.word(.text))",
            "Player.salary is declared with 4 decimal places and stored with 2: every value would be misread",
            "Player.rank is new, not optional, and has no .default(…)",
        ]
        let steps = [
            "try store.changeColumn(\\Player.team, from: String.self) { … }",
            "try store.changeColumn(\\Player.salary, from: Decimal.self) { … }",
            "try store.addColumn(\\Player.rank, value: …)",
        ]
        let remedy = ": register Migration(\"…\") { store in \(steps.joined(separator: "; ")) }"
        #expect(detail == differences.joined(separator: "; ") + remedy)
    }
}

private struct Pay: Entity {
    let id: UUID
    var salary: Decimal
    static let schema = Schema(Column("id", \Pay.id), Column("salary", \.salary), make: Pay.init)
}

private struct Different: Entity {
    let id: UUID
    var name: String?
    var team: Int
    var salary: Decimal
    var rank: Int
    static let entityName = "Player"
    static let schema = Schema(
        Column("id", \Different.id), Column("name", \.name), Column("team", \.team), Column("salary", \.salary),
        Column("rank", \.rank), make: Different.init)
}
