import Dispatch
import Foundation
import GRDB
import SignalRepository

// Five live results, which are followed while flights are inserted.
extension FlightQuestion {
    static let dashboard = FlightQuestion(
        name: "dashboard", work: "five live results while 5,000 flights arrive, 1,000 per transaction", repeats: 1,
        ours: { repository in
            let (top, before) = (Flight.busiest, try repository.count(Flight.self).wait())
            let shown = [
                Shown(repository.countSubscription(Flight.all)) { $0 == before + 5_000 },
                Shown(repository.maxSubscription(of: \Flight.arrivalDelay)) { $0 == Flight.lastDelay },
                Shown(repository.follow(Flight.all.count(groupedBy: \.carrier))) {
                    $0.reduce(0) { $0 + $1.value } == before + 5_000
                },
                Shown(repository.sumSubscription(of: \Flight.distance) { $0.year == 2014 }) { $0 == 5_000 },
                Shown(repository.fetchSubscription(top)) { $0.contains { $1 > 14_000 && $0 == Flight.busier } },
            ]
            for batch in 0..<5 { _ = try repository.insert(Flight.ofNextYear(batch)).wait() }
            for result in shown { result.wait() }
            return try repository.delete(Flight.self) { $0.year == 2014 }.wait()
        }, peer: { try $0.dashboard() })
}

extension Flight {
    static let lastDelay = 5_004
    /// An airport among the ten busiest, to which all new flights go.
    static let busier = "Ronald Reagan Washington Natl"

    static var busiest: SelectQuery<(String, Int)> {
        Flight.joined(to: Airport.self, on: \.destination)
            .grouped { $1.name }.sorted(.descending) { flight, _ in flight.id.count() }.limit(10)
            .aggregate { flight, _ in flight.id.count() }
    }

    /// Returns a thousand flights of one mile each; later batches have longer delays.
    static func ofNextYear(_ batch: Int) -> [Flight] {
        (0..<1_000).map { number in
            Flight(
                year: 2014, month: 1, day: 1, departure: nil, scheduledDeparture: 600, departureDelay: nil,
                arrival: nil,
                scheduledArrival: 700, arrivalDelay: 5_000 + batch, carrier: "UA", number: number, tailNumber: nil,
                origin: "JFK", destination: "DCA", airTime: nil, distance: 1, hour: 6, minute: 0,
                time: Date(timeIntervalSinceReferenceDate: 410_000_000))
        }
    }
}

/// A live result that is followed until it shows the last flights.
private final class Shown: Sendable {
    private let done = DispatchSemaphore(value: 0)
    private let token: SignalToken

    init<Value>(_ signal: Signal<Value, RepositoryError>, _ isLast: @escaping @Sendable (Value) -> Bool) {
        let done = done
        token = signal.sink(onValue: { if isLast($0) { done.signal() } }, onCompletion: { _ in })
    }

    func wait() {
        done.wait()
        token.cancel()
    }
}

extension PeerStore {
    fileprivate func dashboard() throws -> Int {
        let before = try pool.read { try Flight.fetchCount($0) }
        let shown = [
            shown({ try Flight.fetchCount($0) }) { $0 == before + 5_000 },
            shown({ try Int.fetchOne($0, Flight.select(max(Column("arr_delay")))) }) { $0 == Flight.lastDelay },
            shown({ try Int.fetchAll($0, Flight.select(count(Column("id"))).group(Column("carrier"))) }) {
                $0.reduce(0, +) == before + 5_000
            },
            shown({
                try Int.fetchOne($0, Flight.filter(Column("year") == 2014).select(sum(Column("distance"))))
            }) { $0 == 5_000 },
            shown({ try Self.topDestinations($0) }) {
                $0.contains { $0.number ?? 0 > 14_000 && $0.name == Flight.busier }
            },
        ]
        for batch in 0..<5 {
            try insert(flights: Flight.ofNextYear(batch))
        }
        for (done, token) in shown {
            done.wait()
            token.cancel()
        }
        return try pool.write { try Flight.filter(Column("year") == 2014).deleteAll($0) }
    }

    private func shown<Value: Sendable>(
        _ fetch: @escaping @Sendable (Database) throws -> Value, _ isLast: @escaping @Sendable (Value) -> Bool
    ) -> (DispatchSemaphore, AnyDatabaseCancellable) {
        let done = DispatchSemaphore(value: 0)
        let token = ValueObservation.trackingConstantRegion(fetch).start(
            in: pool, scheduling: .async(onQueue: .global()), onError: { _ in },
            onChange: { if isLast($0) { done.signal() } })
        return (done, token)
    }
}
