import Foundation
import SignalRepository
import SignalsTesting

/// Teams, their players, and who coaches them: for joins.
struct Club: Entity, Equatable {
    var id: Int
    var name: String
    var city: String?
    var coachID: Int?

    static let schema = Schema(
        Column("id", \Club.id), Column("name", \.name), Column("city", \.city), Column("coachID", \.coachID),
        make: Club.init)
}

struct Striker: Entity, Equatable {
    var id: Int
    var name: String
    var rating: Double
    var goals: Int
    var fee: Decimal
    var teamID: Int?

    static let schema = Schema(
        Column("id", \Striker.id), Column("name", \.name), Column("rating", \.rating), Column("goals", \.goals),
        Column("fee", \.fee, .scale(2)), Column("teamID", \.teamID, .references(Club.self)),
        make: { Striker(id: $0, name: $1, rating: $2, goals: $3, fee: $4, teamID: $5) })
}

struct Trainer: Entity, Equatable {
    var id: Int
    var name: String
    static let schema = Schema(Column("id", \Trainer.id), Column("name", \.name), make: Trainer.init)
}

/// A player with its team and coach.
struct StrikerInfo: JoinedRow, Equatable {
    let player: Striker
    let team: Club
    let coach: Trainer?

    static let join = Join(
        Side(\StrikerInfo.player), Side(\.team), Side(\.coach) { $0.team.coachID == $0.coach.id },
        make: { StrikerInfo(player: $0, team: $1, coach: $2) })
}

/// The same rows in a store and in arrays.
struct League: Sendable {
    var teams: [Club] = []
    var players: [Striker] = []
    var coaches: [Trainer] = []

    static let entities: [any Entity.Type] = [Club.self, Striker.self, Trainer.self]

    init(seed: Int, players count: Int = 40) {
        var random = SeededGenerator(seed: UInt64(seed))
        coaches = (1...3).map { Trainer(id: $0, name: TextZoo.random(&random)) }
        for id in 1...6 {
            let city = Bool.random(using: &random) ? TextZoo.random(&random) : nil
            let coach = Bool.random(using: &random) ? Int.random(in: 1...3, using: &random) : nil
            teams.append(Club(id: id, name: TextZoo.random(&random), city: city, coachID: coach))
        }
        for id in 0..<count {
            let team = Int.random(in: 0..<4, using: &random) > 0 ? Int.random(in: 1...5, using: &random) : nil
            players.append(
                Striker(
                    id: id, name: TextZoo.random(&random), rating: Double(Int.random(in: 0...8, using: &random)) / 2,
                    goals: Int.random(in: -3...9, using: &random),
                    fee: Decimal(Int.random(in: -999...999, using: &random)) / 100, teamID: team))
        }
    }

    /// The league with texts that PostgreSQL can hold.
    var withoutNUL: League {
        var league = self
        for index in coaches.indices { league.coaches[index].name = coaches[index].name.withoutNUL }
        for index in teams.indices {
            league.teams[index].name = teams[index].name.withoutNUL
            league.teams[index].city = teams[index].city?.withoutNUL
        }
        for index in players.indices { league.players[index].name = players[index].name.withoutNUL }
        return league
    }

    func team(_ id: Int?) -> Club? { teams.first { $0.id == id } }
    func coach(_ id: Int?) -> Trainer? { coaches.first { $0.id == id } }

    func store(in repository: any Repository) async throws {
        let league = self
        try await repository.transaction { store in
            for coach in league.coaches { try store.create(coach) }
            for team in league.teams { try store.create(team) }
            for player in league.players { try store.create(player) }
        }.value()
    }
}

/// Gives a test a store with a league.
func withLeague(
    _ kind: StoreKind = .memory, seed: Int = 1, _ body: (any Repository, League) async throws -> Void
) async throws {
    try await withRepository(kind, League.entities) { repository in
        let league = kind == .postgres ? League(seed: seed).withoutNUL : League(seed: seed)
        try await league.store(in: repository)
        try await body(repository, league)
    }
}
