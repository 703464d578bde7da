import Foundation
import SignalRepository
import Signals
import Testing

@testable import SignalRepositoryPostgres

/// The outcome of films that were written while a server went away, by their numbers.
struct WrittenFilms {
    private(set) var kept: Set<Int> = []
    private(set) var refused: Set<Int> = []
    private(set) var unknown: Set<Int> = []

    var count: Int { kept.count + refused.count + unknown.count }

    mutating func add(_ other: WrittenFilms) {
        kept.formUnion(other.kept)
        refused.formUnion(other.refused)
        unknown.formUnion(other.unknown)
    }

    /// Compares the outcome with the films that a store holds, and returns their number.
    ///
    /// The store must hold all acknowledged films and no refused one. It may hold any of the others.
    @discardableResult
    func compare(_ films: [Film], _ comment: Comment) -> Int {
        let numbers = Set(films.map { Int($0.boxOffice.description) ?? -1 })
        #expect(kept.isSubset(of: numbers), "\(comment): \(kept.subtracting(numbers)) are lost")
        #expect(numbers.isDisjoint(with: refused), "\(comment): \(numbers.intersection(refused))")
        #expect(numbers.isSubset(of: kept.union(unknown)), comment)
        return numbers.count
    }

    /// Writes films, as single statements and in transactions, until one fails or `acknowledged` returns `false`.
    static func write(
        _ first: Int, in repository: PostgresRepository, acknowledged: @Sendable () -> Bool
    ) async -> WrittenFilms {
        var written = WrittenFilms()
        for number in first... {
            let film = Film.numbered(number)
            do {
                try await Self.write(film, isStatement: number % 2 == 0, in: repository)
                written.kept.insert(number)
                // The connection may not have noticed anything.
                guard acknowledged() else { return written }
            } catch {
                guard let error = error as? RepositoryError, error.isIO || error.isOutcomeUnknown else {
                    Issue.record("\(error)")
                    return written
                }
                if error.isIO { written.refused.insert(number) } else { written.unknown.insert(number) }
                return written
            }
        }
        return written
    }

    private static func write(_ film: Film, isStatement: Bool, in repository: PostgresRepository) async throws {
        if isStatement {
            try await repository.create(film).value()
        } else {
            try await repository.transaction { store in
                try store.create(film)
                _ = try store.find(Film.self, id: film.id)
            }.value()
        }
    }
}
