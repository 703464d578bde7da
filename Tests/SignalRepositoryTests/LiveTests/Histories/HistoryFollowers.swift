import Foundation
import Signals
import SignalsTesting

@testable import RepositoryCore
@testable import SignalRepository

/// A thread that randomly attaches live endpoints of every kind, reads, and cancels.
struct HistoryFollowers {
    let repository: HistoryRepository
    private var random: SeededGenerator
    private(set) var followers: [HistoryFollower] = []
    private(set) var reads: [HistoryRead] = []

    init(_ repository: HistoryRepository, seed: UInt64) {
        self.repository = repository
        random = SeededGenerator(seed: seed)
    }

    mutating func comeAndGo(_ count: Int) {
        for _ in 0..<count {
            followers.append(follower())
            if Int.random(in: 0..<3, using: &random) == 0 { followers.randomElement(using: &random)?.cancel() }
            followers.randomElement(using: &random)?.request(.max(1))
            reads.append(HistoryRead(repository))
        }
    }

    private mutating func follower() -> HistoryFollower {
        // Some are slow: they request a value now and then.
        let demand: Demand = Int.random(in: 0..<4, using: &random) == 0 ? .max(1) : .unlimited
        let id = Int.random(in: 0..<24, using: &random)
        let kind = Int.random(in: 0..<52, using: &random)
        if kind == 51 { return light(demand) }
        if kind >= 37 {
            let query = LinkedQuery.all[Int.random(in: 0..<LinkedQuery.all.count, using: &random)]
            return query.follower(repository, demand)
        }
        if kind >= 26 { return computed(kind - 26, id, demand) }
        if kind >= 18 { return list(kind - 18, id, demand) }
        if kind < 11 { return kind < 7 ? items(kind, id, demand) : aggregate(kind, demand) }
        return kind < 15 ? groups(kind, demand) : terms(kind, demand)
    }

    private func items(_ kind: Int, _ id: Int, _ demand: Demand) -> HistoryFollower {
        switch kind {
        case 0:
            HistoryFollower("all", repository, demand: demand) {
                $0.fetchSubscription(Piece.all.sorted(by: \.id))
            } expected: {
                $0.pieces
            }
        case 1, 2:
            HistoryFollower("page", repository, demand: demand) {
                $0.fetchSubscription(
                    Piece.where { $0.price > 2 }.sorted(by: \.price, .descending).sorted(by: \.id).limit(4).offset(1))
            } expected: { state in
                let sorted = state.pieces.filter { $0.price > 2 }
                    .sorted { $0.price == $1.price ? $0.id < $1.id : $0.price > $1.price }
                return Array(sorted.dropFirst().prefix(4))
            }
        case 3, 4:
            HistoryFollower("one", repository, demand: demand) {
                $0.readSubscription(Piece.self, id: id)
            } expected: { state in
                state.pieces.first { $0.id == id }
            }
        case 5:
            HistoryFollower("ratings", repository, demand: demand) {
                $0.fetchSubscription(Rating.where { $0.stars >= 3 }.sorted(by: \.id))
            } expected: {
                $0.ratings.filter { $0.stars >= 3 }
            }
        default:
            HistoryFollower("both", repository, demand: demand) {
                $0.follow(LiveQuery { [try $0.count(Piece.self), try $0.fetch(Rating.all.sum(of: \.stars))] }).map(
                    \.value)
            } expected: { state in
                [state.pieces.count, state.ratings.reduce(0) { $0 + $1.stars }]
            }
        }
    }

    private func aggregate(_ kind: Int, _ demand: Demand) -> HistoryFollower {
        switch kind {
        case 7:
            HistoryFollower("count", repository, demand: demand) {
                $0.countSubscription(Piece.self) { $0.studio == nil }
            } expected: { state in
                state.pieces.count { $0.studio == nil }
            }
        case 8:
            HistoryFollower("sum", repository, demand: demand) {
                $0.sumSubscription(of: \Piece.price)
            } expected: { state in
                state.pieces.reduce(0) { $0 + $1.price }
            }
        case 9:
            HistoryFollower("average", repository, demand: demand) {
                $0.averageSubscription(of: \Piece.weight) { $0.price <= 6 }
            } expected: { state in
                mean(state.pieces.filter { $0.price <= 6 }.compactMap(\.weight))
            }
        default:
            HistoryFollower("aggregate", repository, demand: demand) {
                $0.aggregateSubscription(.summary, of: \Piece.weight)
            } expected: { state in
                let weights = state.pieces.compactMap(\.weight)
                return Summary(
                    count: weights.count, sum: weights.reduce(0, +), average: mean(weights), min: weights.min(),
                    max: weights.max())
            }
        }
    }

    /// A count of light pieces; a piece without a weight is neither light nor heavy.
    private func light(_ demand: Demand) -> HistoryFollower {
        HistoryFollower("light", repository, demand: demand) {
            $0.countSubscription(Piece.self) { $0.weight < 0.5 }
        } expected: { state in
            state.pieces.count { piece in piece.weight.map { $0 < 0.5 } ?? false }
        }
    }

    private func groups(_ kind: Int, _ demand: Demand) -> HistoryFollower {
        switch kind {
        case 11:
            HistoryFollower("min", repository, demand: demand) {
                $0.minSubscription(of: \Piece.title) { $0.price > 3 }
            } expected: { state in
                state.pieces.filter { $0.price > 3 }.map { ExactText($0.title) }.min()?.text
            }
        case 12:
            HistoryFollower("max by studio", repository, demand: demand) {
                $0.aggregateSubscription(.max, of: \Piece.price, groupedBy: \Piece.studio)
            } expected: { state in
                textGroups(state.pieces, by: \.studio, value: { $0.map(\.price).max() })
            }
        case 13:
            HistoryFollower("sum by piece", repository, demand: demand) {
                $0.aggregateSubscription(.sum, of: \Rating.stars, groupedBy: \Rating.piece)
            } expected: { state in
                grouped(state.ratings, by: \.piece, <) { $0.reduce(0) { $0 + $1.stars } }
            }
        default:
            HistoryFollower("count by title", repository, demand: demand) {
                $0.follow(Piece.all.count(groupedBy: \.title))
            } expected: { state in
                textGroups(state.pieces, by: \.title, value: \.count).compactMap { group in
                    group.key.map { Grouped(key: $0, value: group.value) }
                }
            }
        }
    }

    /// A follower of entries, whose key is a text.
    private mutating func terms(_ kind: Int, _ demand: Demand) -> HistoryFollower {
        let text = TextZoo.random(&random)
        return switch kind {
        case 15:
            HistoryFollower("terms", repository, demand: demand) {
                $0.fetchSubscription(Entry.where { $0.uses > 0 }.sorted(by: \.text).sorted(by: \.id))
            } expected: { state in
                state.terms.filter { $0.uses > 0 }.sorted {
                    (ExactText($0.text), ExactText($0.id)) < (ExactText($1.text), ExactText($1.id))
                }
            }
        case 16:
            HistoryFollower("term", repository, demand: demand) {
                $0.readSubscription(Entry.self, id: text)
            } expected: { state in
                state.terms.first { $0.id.isStored(like: text) }
            }
        default:
            HistoryFollower("like terms", repository, demand: demand) {
                $0.countSubscription(Entry.self) { $0.text == text }
            } expected: { state in
                state.terms.count { $0.text.isStored(like: text) }
            }
        }
    }
}

private func mean(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
}

/// Groups by a text: nil first, and the others in the order of their bytes.
private func textGroups<Item, Value: Sendable & Equatable>(
    _ items: [Item], by key: (Item) -> String?, value: ([Item]) -> Value
) -> [Grouped<String?, Value>] {
    let groups = grouped(items, by: { key($0).map(ExactText.init) }) { left, right in
        guard let left, let right else { return left == nil && right != nil }
        return left < right
    } value: {
        value($0)
    }
    return groups.map { Grouped(key: $0.key?.text, value: $0.value) }
}

private func grouped<Item, Key: Hashable & Sendable, Value: Sendable & Equatable>(
    _ items: [Item], by key: (Item) -> Key, _ isBefore: (Key, Key) -> Bool, value: ([Item]) -> Value
) -> [Grouped<Key, Value>] {
    let groups = Dictionary(grouping: items, by: key)
    return groups.keys.sorted(by: isBefore).map { Grouped(key: $0, value: value(groups[$0] ?? [])) }
}

/// A concurrent read, with the numbers of the last commits before and after it.
struct HistoryRead: Sendable {
    private let earliest: Int
    private let latest: Int
    private let pieces: [Piece]?

    /// Reads, and waits for the result.
    init(_ repository: HistoryRepository) {
        let read = Lock<[Piece]?>(nil)
        let end = DispatchSemaphore(value: 0)
        earliest = repository.number
        let token = repository.fetch(Piece.all.sorted(by: \.id)).sink(
            onValue: { pieces in read.withLock { $0 = pieces } }, onCompletion: { _ in end.signal() })
        _ = end.wait(timeout: .now() + .seconds(Patience.seconds))
        latest = repository.number
        pieces = read.withLock { $0 }
        token.cancel()
    }

    /// The faults of the read.
    func faults(_ log: HistoryLog) -> [String] {
        let isRight = (earliest...latest).contains { (log.state(at: $0)?.pieces).isStored(like: pieces) }
        return isRight ? [] : ["A read was at none of the commits \(earliest) to \(latest)"]
    }
}
