import Foundation
import SignalRepository

/// The number of films, and the sum of their box offices.
struct FilmTotals: Equatable, Sendable {
    var count: Int
    var sum: Decimal

    /// Follows the totals of all films, or of one studio's; both figures of a value belong to the same commit.
    static func live(studio: String? = nil) -> LiveQuery<FilmTotals> {
        LiveQuery { store in
            let films = Film.where { if let studio { $0.studio == studio } }
            return FilmTotals(
                count: try store.fetch(films.count), sum: try store.fetch(films.sum(of: \.boxOffice)))
        }
    }

    var text: String { "\(count) \(count == 1 ? "film" : "films"), sum \(Amount.text(sum))" }
}
