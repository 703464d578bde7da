import Foundation
import Signals
import SignalsTesting

@testable import RepositoryCore
@testable import SignalRepository

extension HistoryFollowers {
    /// A follower of a computed condition, order or aggregate, none of which overflows.
    func computed(_ kind: Int, _ number: Int, _ demand: Demand) -> HistoryFollower {
        switch kind {
        case 0:
            list("digits", number, demand, Gauge.where { $0.whole / 7 % 10 > 2 }.sorted(by: \.id)) {
                $0.whole / 7 % 10 > 2
            }
        case 1:
            list("tests", number, demand, Gauge.where { ($0.whole > 0) == ($0.other == nil) }.sorted(by: \.id)) {
                ($0.whole > 0) == ($0.other == nil)
            }
        case 2:
            list("no numbers", number, demand, Gauge.where { $0.real - $0.real == nil }.sorted(by: \.id)) {
                $0.real?.isInfinite ?? true
            }
        case 3: hours(number, demand)
        case 4: halves(number, demand)
        case 5: products(number, demand)
        case 6:
            HistoryFollower("long", repository, demand: demand) {
                $0.countSubscription(Gauge.self) { ($0.text + "\u{301}").count > 2 }
            } expected: { state in
                state.gauges.count { ($0.text + "\u{301}").count > 2 }
            }
        case 7:
            HistoryFollower("greatest text", repository, demand: demand) {
                $0.maxSubscription(
                    of: \Gauge.text
                ) { $0.text.uppercased().hasPrefix("A") || $0.whole % 3 == 1 }
            } expected: { state in
                let passing = state.gauges.filter { gauge in
                    let starts = gauge.text.uppercased().first.map { ExactText("\($0)") == ExactText("A") } ?? false
                    return starts || gauge.whole % 3 == 1
                }
                return passing.map { ExactText($0.text) }.max()?.text
            }
        case 8: totals(demand)
        case 9: remainders(demand)
        default: nearest(number, demand)
        }
    }

    private func list(
        _ name: String, _ number: Int, _ demand: Demand, _ query: FetchQuery<Gauge>,
        _ passes: @escaping @Sendable (Gauge) -> Bool
    ) -> HistoryFollower {
        HistoryFollower(name, repository, demand: demand) {
            $0.fetchSubscription(number.isMultiple(of: 2) ? query : query.limit(3))
        } expected: { state in
            let passing = state.gauges.filter(passes)
            return number.isMultiple(of: 2) ? passing : Array(passing.prefix(3))
        }
    }

    private func hours(_ number: Int, _ demand: Demand) -> HistoryFollower {
        let query = Gauge.where { $0.date.hour() >= 12 || $0.date.year() < 2000 }.sorted(by: \.id)
        return list("hours", number, demand, query) {
            let seconds = $0.date.timeIntervalSinceReferenceDate
            return (DatePart.hour.value(of: seconds, in: nil) ?? 0) >= 12
                || (DatePart.year.value(of: seconds, in: nil) ?? 2000) < 2000
        }
    }

    /// A list in the order of the sum of two halved numbers, which never overflows.
    private func halves(_ number: Int, _ demand: Demand) -> HistoryFollower {
        HistoryFollower("halves", repository, demand: demand) {
            $0.fetchSubscription(
                Gauge.where { ($0.other ?? 0) < $0.whole }
                    .sorted(.descending) { $0.whole / 2 + ($0.other ?? 0) / 2 }.limit(3).offset(number % 2))
        } expected: { state in
            let sorted = state.gauges.filter { ($0.other ?? 0) < $0.whole }.sorted { one, other in
                let (left, right) = (one.whole / 2 + (one.other ?? 0) / 2, other.whole / 2 + (other.other ?? 0) / 2)
                return left == right ? one.id < other.id : left > right
            }
            return Array(sorted.dropFirst(number % 2).prefix(3))
        }
    }

    /// A list in the order of products: NaN, which comes first, zeros of both signs, and infinities.
    private func products(_ number: Int, _ demand: Demand) -> HistoryFollower {
        let factor = number.isMultiple(of: 2) ? 0.0 : -1e10
        return HistoryFollower("products", repository, demand: demand) {
            $0.fetchSubscription(Gauge.all.sorted { $0.real * factor }.limit(6))
        } expected: { state in
            let products = state.gauges.map { gauge in
                (gauge, gauge.real.flatMap { ($0 * factor).isNaN ? nil : $0 * factor })
            }
            let sorted = products.sorted { one, other in
                guard let left = one.1, let right = other.1 else {
                    return one.1 == nil && other.1 == nil ? one.0.id < other.0.id : one.1 == nil
                }
                return left == right ? one.0.id < other.0.id : left < right
            }
            return sorted.prefix(6).map(\.0)
        }
    }

    /// A list in the order of distances, of which many are equal; rows without a vector come first.
    private func nearest(_ number: Int, _ demand: Demand) -> HistoryFollower {
        let (target, metric): (Vector, _) = ([1, -1, 2], VectorMetric.allCases[number % 3])
        return HistoryFollower("nearest", repository, demand: demand) {
            $0.fetchSubscription(Gauge.all.sorted { $0.spot.distance(to: target, metric) }.limit(6))
        } expected: { state in
            let distances = state.gauges.map { gauge in
                (gauge, gauge.spot.map { $0.distance(from: target, metric) } ?? -.infinity)
            }
            return distances.sorted { ($0.1, $0.0.id) < ($1.1, $1.0.id) }.prefix(6).map(\.0)
        }
    }

    /// Several aggregates of all rows, one with a condition.
    private func totals(_ demand: Demand) -> HistoryFollower {
        let query = Gauge.all.aggregate { gauge in
            (
                gauge.id.count(), (gauge.whole % 1000 * 2).sum(), (gauge.whole / 1000).max(),
                gauge.text.count.average(where: gauge.other == nil)
            )
        }
        return HistoryFollower("totals", repository, demand: demand) {
            $0.firstSubscription(query).map { row in
                row.map { ["\($0.0)", "\($0.1)", $0.2.description, $0.3.description] } ?? []
            }
        } expected: { state in
            let lengths = state.gauges.filter { $0.other == nil }.map(\.text.count)
            let average: Double? = lengths.isEmpty ? nil : Double(lengths.reduce(0, +)) / Double(lengths.count)
            let sum = state.gauges.reduce(0) { sum, gauge in sum + gauge.whole % 1000 * 2 }
            let most: Int? = state.gauges.map { gauge in gauge.whole / 1000 }.max()
            return ["\(state.gauges.count)", "\(sum)", most.description, average.description]
        }
    }

    /// Some groups by a computed key, in a computed order.
    private func remainders(_ demand: Demand) -> HistoryFollower {
        let groups = Gauge.all.grouped { $0.whole % 3 }.having { $0.id.count() > 1 }
            .sorted(.descending) { $0.id.count() * 100 + $0.id.sum() }.limit(4)
        let query = groups.aggregate { ($0.id.sum(where: $0.real != nil), $0.text.min()) }
        return HistoryFollower("remainders", repository, demand: demand) {
            $0.fetchSubscription(query).map { rows in rows.map { "\($0.0) \($0.1) \($0.2 ?? "-")" } }
        } expected: { state in
            let groups = Dictionary(grouping: state.gauges) { $0.whole % 3 }.filter { $0.value.count > 1 }
            func weight(_ gauges: [Gauge]) -> Int { gauges.count * 100 + gauges.reduce(0) { $0 + $1.id } }
            let sorted = groups.sorted { one, other in
                let (left, right) = (weight(one.value), weight(other.value))
                return left == right ? one.key < other.key : left > right
            }
            return sorted.prefix(4).map { key, gauges in
                let sum = gauges.filter { $0.real != nil }.reduce(0) { $0 + $1.id }
                return "\(key) \(sum) \(gauges.map { ExactText($0.text) }.min()?.text ?? "-")"
            }
        }
    }
}

extension Optional {
    /// The value, or a dash for `nil`.
    fileprivate var description: String { map { "\($0)" } ?? "-" }
}
