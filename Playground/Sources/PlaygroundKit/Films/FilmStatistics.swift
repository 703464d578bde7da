import Foundation
import SignalRepository

/// The statistics of all films, or of those that share a studio, a genre or a year.
struct FilmStatistics: Equatable, Sendable {
    /// A property by which films can be grouped.
    enum Key: String, CaseIterable, Sendable {
        case studio, genre, year
    }

    /// The value that the films of the group share; nil for films without one, and for all films.
    var key: String?
    /// The number of films, including those without a box office.
    var count: Int
    var sum: Decimal
    var average: Decimal?
    var min: Decimal?
    var max: Decimal?
}

extension ReadTransaction {
    /// Sums up all films.
    func statistics() throws -> FilmStatistics {
        let summary = try fetch(Film.all.summary(of: \.boxOffice))
        return FilmStatistics(
            key: nil, count: try count(Film.self), sum: summary.sum, average: summary.average, min: summary.min,
            max: summary.max)
    }

    /// Sums up the films of each group, largest sum first.
    func statistics(by key: FilmStatistics.Key) throws -> [FilmStatistics] {
        let groups =
            switch key {
            case .studio: try statistics(groupedBy: \.studio) { $0 }
            case .genre: try statistics(groupedBy: \.genre) { $0 }
            case .year: try statistics(groupedBy: \.year) { $0.map(String.init) }
            }
        return groups.sorted { $0.sum == $1.sum ? ($0.key ?? "") < ($1.key ?? "") : $0.sum > $1.sum }
    }

    private func statistics<Key: ColumnValue & Hashable>(
        groupedBy path: KeyPath<Film, Key?> & Sendable, name: (Key?) -> String?
    ) throws -> [FilmStatistics] {
        var counts: [Key?: Int] = [:]
        for group in try fetch(Film.all.count(groupedBy: path)) { counts[group.key] = group.value }
        return try fetch(Film.all.aggregate(.summary, of: \.boxOffice, groupedBy: path)).map { group in
            FilmStatistics(
                key: name(group.key), count: counts[group.key] ?? 0, sum: group.value.sum,
                average: group.value.average, min: group.value.min, max: group.value.max)
        }
    }
}
