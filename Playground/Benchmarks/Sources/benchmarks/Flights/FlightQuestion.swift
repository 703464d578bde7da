import Foundation
import SignalRepository

/// A question about the flights, which every form answers from a file with the same rows.
struct FlightQuestion: Sendable {
    let name: String
    let work: String
    /// How many times one round asks it, so that the processor's caches hold the file.
    var repeats = 5
    let ours: @Sendable (SQLiteRepository) throws -> Int
    let peer: @Sendable (PeerStore) throws -> Int
}

extension FlightQuestion {
    static let all: [FlightQuestion] = [
        FlightQuestion(
            name: "carrier", work: "the average delay by the name of the carrier",
            ours: { repository in
                let delays = Flight.joined(to: Airline.self)
                    .grouped { $1.name }.aggregate { flight, _ in flight.arrivalDelay.average() }
                return try repository.fetch(delays).wait().checksum {
                    $0.combine($1.0); $0.combine($1.1 ?? 0)
                }
            }, peer: { try $0.delaysByCarrier() }),
        FlightQuestion(
            name: "destinations", work: "the ten airports that most flights go to, by name",
            ours: { repository in
                try repository.fetch(Flight.busiest).wait().checksum {
                    $0.combine($1.0); $0.combine($1.1)
                }
            }, peer: { try $0.topDestinations() }),
        FlightQuestion(
            name: "planes", work: "the flights of planes built before 1990",
            ours: { repository in
                let old = Flight.joined(to: Plane.self, on: \.tailNumber).where { _, plane in plane.year < 1990 }
                return try repository.fetch(old).wait().checksum {
                    $0.combine($1.left.id); $0.combine($1.right.seats)
                }
            }, peer: { try $0.flightsOfOldPlanes() }),
        FlightQuestion(
            name: "weather", work: "the average delay at departure with rain and without",
            ours: { repository in
                let delays =
                    Flight
                    .joined(to: Weather.self) { $0.origin == $1.origin && $0.time == $1.time }
                    .grouped { $1.precipitation > 0 }.aggregate { flight, _ in flight.departureDelay.average() }
                return try repository.fetch(delays).wait().checksum {
                    $0.combine($1.0 ? 1 : 0); $0.combine($1.1 ?? 0)
                }
            }, peer: { try $0.delaysByRain() }),
        FlightQuestion(
            name: "distinct", work: "all carriers",
            ours: { repository in
                try repository.fetch(Flight.all.select(\.carrier).distinct()).wait().checksum { $0.combine($1) }
            }, peer: { try $0.carriers() }),
        FlightQuestion(
            name: "groups", work: "the number of flights by origin and carrier",
            ours: { repository in
                let counts = Flight.all.grouped { ($0.origin, $0.carrier) }.aggregate { $0.id.count() }
                return try repository.fetch(counts).wait()
                    .checksum {
                        $0.combine($1.0); $0.combine($1.1); $0.combine($1.2)
                    }
            }, peer: { try $0.flightsByOriginAndCarrier() }),
        FlightQuestion(
            name: "offset", work: "50 flights after the first 300,000, by their number", repeats: 50,
            ours: { repository in
                try repository.fetch(Flight.all.sorted(by: \.id).limit(50).offset(300_000)).wait()
                    .checksum { $0.combine($1.id) }
            }, peer: { try $0.pageByOffset() }),
        FlightQuestion(
            name: "page", work: "ten pages of 50 flights, by their number", repeats: 50,
            ours: { repository in
                var (sum, cursor) = (Checksum(), PageCursor?.none)
                for _ in 0..<10 {
                    let page = try repository.fetch(Flight.all.sorted(by: \.id).page(after: cursor, size: 50)).wait()
                    for flight in page.items { sum.combine(flight.id) }
                    cursor = page.next
                }
                return sum.value
            }, peer: { try $0.pagesByKey() }),
        FlightQuestion(
            name: "search", work: "the airports with a word that begins with inter", repeats: 50,
            ours: { repository in
                try repository.fetch(Airport.where(.matches("inter", .prefix))).wait().checksum { $0.combine($1.name) }
            }, peer: { try $0.airports() }),
        FlightQuestion(
            name: "hour", work: "the average delay at departure by the hour",
            ours: { repository in
                let delays = Flight.all.grouped { $0.hour }.aggregate { $0.departureDelay.average() }
                return try repository.fetch(delays).wait().checksum {
                    $0.combine($1.0); $0.combine($1.1 ?? 0)
                }
            }, peer: { try $0.delaysByHour() }),
        FlightQuestion(
            name: "busy", work: "the carriers with more than 10,000 flights",
            ours: { repository in
                let busy = Flight.all.grouped { $0.carrier }.having { $0.id.count() > 10_000 }.aggregate {
                    $0.id.count()
                }
                return try repository.fetch(busy).wait().checksum {
                    $0.combine($1.0); $0.combine($1.1)
                }
            }, peer: { try $0.busyCarriers() }),
        FlightQuestion(
            name: "patch", work: "the delay of one flight is set, by its number", repeats: 50,
            ours: { try $0.update(Flight.self, id: 7, set: [.set(\.departureDelay, to: 12)]).wait().id },
            peer: { try $0.patch() }),
        FlightQuestion(
            name: "patches", work: "the same for 1,000 flights, in one transaction",
            ours: { repository in
                try repository.transaction { store in
                    for id in 1...1_000 { try store.update(Flight.self, id: id, set: [.set(\.departureDelay, to: id)]) }
                    return 1_000
                }.wait()
            }, peer: { try $0.patches() }),
        .dashboard,
    ]
}

extension Array {
    /// Returns a checksum, which is equal for two forms if their rows are equal.
    func checksum(_ combine: (inout Checksum, Element) -> Void) -> Int {
        reduce(into: Checksum()) { combine(&$0, $1) }.value
    }
}
