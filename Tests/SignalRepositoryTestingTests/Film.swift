import SignalRepository
import SignalRepositoryTesting

/// The entity that the tests in this folder store.
struct Film: Entity, Equatable {
    let id: Int
    var title: String
    var gross: Int

    static let schema = Schema(
        Column("id", \Film.id), Column("title", \.title), Column("gross", \.gross), make: Film.init)

    static func numbered(_ number: Int) -> Film { Film(id: number, title: "Film \(number)", gross: number) }
}

/// A second entity.
struct Studio: Entity, Equatable {
    let id: Int
    var name: String

    static let schema = Schema(Column("id", \Studio.id), Column("name", \.name), make: Studio.init)
}

/// Returns a stubbed repository over an in-memory store.
func stubbed() throws -> StubbedRepository {
    StubbedRepository(over: try SQLiteRepository(.inMemory, entities: Film.self, Studio.self))
}

/// Returns the error with which `body` fails, or nil if it succeeds.
func failure<Value>(_ body: () async throws -> Value) async -> RepositoryError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? RepositoryError
    }
}
