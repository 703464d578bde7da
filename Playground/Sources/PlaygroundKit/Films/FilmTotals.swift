import Foundation
import SignalRepository

/// How many films there are, and what they took in together.
struct FilmTotals: Equatable, Sendable {
    var count: Int
    var sum: Decimal

    /// Follows the totals of all films, or of one studio's: both figures of each value belong to the same commit.
    static func live(studio: String? = nil) -> LiveQuery<FilmTotals> {
        LiveQuery { store in
            let condition = studio.map { \Film.studio == $0 }
            return FilmTotals(
                count: try store.count(Film.self, where: condition),
                sum: try store.sum(of: \Film.boxOffice, where: condition))
        }
    }

    var text: String { "\(count) \(count == 1 ? "film" : "films"), sum \(Amount.text(sum))" }
}
