import Foundation
import Signals
import SignalsTesting

@testable import RepositoryCore
@testable import SignalRepository

extension HistoryFollowers {
    /// Lists with ties, NULLs, limits and offsets, in the order of the table and in others; half of them with changes.
    func list(_ kind: Int, _ number: Int, _ demand: Demand) -> HistoryFollower {
        switch kind {
        case 0:
            follower("rows", number, demand, Entry.all) { $0.rows }
        case 1:
            follower("some rows", number, demand, Entry.where { $0.uses < 2 }.limit(2).offset(number % 3)) { state in
                Array(state.rows.filter { $0.uses < 2 }.dropFirst(number % 3).prefix(2))
            }
        case 2:
            follower("by uses", number, demand, Entry.all.sorted(by: \.uses, .descending).limit(1 + number % 4)) {
                state in
                let sorted = state.terms.sorted { $0.uses == $1.uses ? $0.isBefore($1) : $0.uses > $1.uses }
                return Array(sorted.prefix(1 + number % 4))
            }
        case 3:
            follower("by studio", number, demand, Piece.all.sorted(by: \.studio, .descending).limit(3)) { state in
                let sorted = state.pieces.sorted { one, other in
                    let (left, right) = (one.studio.map(ExactText.init), other.studio.map(ExactText.init))
                    if left == right { return one.id < other.id }
                    guard let left, let right else { return left != nil }
                    return left > right
                }
                return Array(sorted.prefix(3))
            }
        case 4:
            follower("by weight and price", number, demand, weights) { state in
                let sorted = state.pieces.sorted { one, other in
                    if one.weight != other.weight {
                        guard let left = one.weight, let right = other.weight else { return one.weight == nil }
                        return left < right
                    }
                    return one.price == other.price ? one.id < other.id : one.price > other.price
                }
                return Array(sorted.dropFirst(2))
            }
        case 5:
            follower("some ids", number, demand, Piece.where { $0.id >= 4 && $0.id <= 12 }.sorted(by: \.title)) {
                state in
                state.pieces.filter { $0.id >= 4 && $0.id <= 12 }.sorted { one, other in
                    let (left, right) = (ExactText(one.title), ExactText(other.title))
                    return left == right ? one.id < other.id : left < right
                }
            }
        case 6:
            follower("of ids", number, demand, Piece.where { $0.id.isIn([number, number + 1]) }) { state in
                state.pieces.filter { $0.id == number || $0.id == number + 1 }
            }
        default:
            follower("first pieces", number, demand, Piece.all.limit(3)) { Array($0.pieces.prefix(3)) }
        }
    }

    private var weights: FetchQuery<Piece> {
        Piece.all.sorted(by: \.weight).sorted(by: \.price, .descending).offset(2)
    }

    private func follower<Item: Entity & Equatable & StoredValue>(
        _ name: String, _ number: Int, _ demand: Demand, _ query: FetchQuery<Item>,
        _ expected: @escaping @Sendable (HistoryState) -> [Item]
    ) -> HistoryFollower {
        if number.isMultiple(of: 2) {
            return HistoryFollower(
                name, repository, demand: demand, { $0.fetchSubscription(query) }, expected: expected)
        }
        return HistoryFollower(
            name + " with changes", repository, demand: demand, { $0.listSubscription(query).checked() },
            expected: expected)
    }
}

extension Entry {
    fileprivate func isBefore(_ other: Entry) -> Bool { ExactText(id) < ExactText(other.id) }
}

extension Signal {
    /// The items of each update if they are what its changes lead to; nothing otherwise.
    func checked<Item>() -> Signal<[Item], Failure>
    where Value == ListUpdate<Item>, Item: Entity & Equatable & StoredValue {
        let last = Lock<[Item]>([])
        return map { update in rightItems(of: update, last) }
    }
}

/// The items of an update if its changes turn the previous items into them; nothing otherwise.
private func rightItems<Item: Entity & Equatable & StoredValue>(
    of update: ListUpdate<Item>, _ last: borrowing Lock<[Item]>
) -> [Item] {
    let items = Array(update.items)
    let before = last.withLock { last in
        defer { last = items }
        return last
    }
    let difference = update.changes
    let made = before.applying(difference)
    let isRight =
        made.isStored(like: items) && Array(update.before).isStored(like: before)
        && items.indices.allSatisfy { items[$0] == update.items[$0] }
        && difference.allSatisfy { change in
            guard case .insert(_, let new, let source?) = change else { return true }
            return before[source].id == new.id
        }
    return isRight ? items : []
}
