import SignalRepository
import SignalRepositoryTesting

/// What the tests of this folder store.
struct Film: Entity, Equatable {
    let id: Int
    var title: String
    var gross: Int

    static let schema = Schema(
        Column("id", \Film.id), Column("title", \.title), Column("gross", \.gross), make: Film.init)

    static func numbered(_ number: Int) -> Film { Film(id: number, title: "Film \(number)", gross: number) }
}

/// An entity beside the films.
struct Studio: Entity, Equatable {
    let id: Int
    var name: String

    static let schema = Schema(Column("id", \Studio.id), Column("name", \.name), make: Studio.init)
}

/// A stubbed repository over a store in memory.
func stubbed() throws -> StubbedRepository {
    StubbedRepository(over: try SQLiteRepository(.inMemory, entities: Film.self, Studio.self))
}

/// The error that something fails with; nil when it does not.
func failure<Value>(_ body: () async throws -> Value) async -> RepositoryError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? RepositoryError
    }
}
