import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

/// An event at a time, with related readings.
private struct Event: Entity, Equatable {
    let id: Int
    var time: Date
    var end: Date?
    var kind: String
    var next: Int

    static let schema = Schema(
        Column("id", \Event.id), Column("time", \.time, .indexed), Column("end", \.end), Column("kind", \.kind),
        Column("next", \.next), make: Event.init)
}

private struct Reading: Entity, Equatable {
    let id: Int
    var event: Int
    var time: Date
    var value: Int

    static let schema = Schema(
        Column("id", \Reading.id), Column("event", \.event, .references(Event.self, onDelete: .cascade)),
        Column("time", \.time, .indexed), Column("value", \.value), make: Reading.init)
}

/// The two clocks of a repository, moved together by a test.
private final class TestClock: Sendable {
    private let seconds = Lock(800_000_000.5)
    private let scheduler = VirtualScheduler()

    var now: Date { Date(timeIntervalSinceReferenceDate: seconds.withLock { $0 }) }

    var configuration: RepositoryConfiguration {
        var configuration = RepositoryConfiguration()
        configuration.now = { self.now }
        configuration.clock = scheduler
        return configuration
    }

    func advance(by count: Int) {
        seconds.withLock { $0 += Double(count) }
        scheduler.advance(by: .seconds(count))
    }

    /// Moves only the clock that shows the time, as a person does.
    func set(by count: Int) { seconds.withLock { $0 += Double(count) } }
}

extension FollowedText {
    /// The windows whose rows enter and leave without a re-read.
    fileprivate static let maintained: [FollowedText] = [
        FollowedText("recent", Event.where { $0.time > .now - .seconds(5) }.sorted(by: \.time)),
        FollowedText(
            "recent of a kind", Event.where { $0.kind == "a" && $0.time >= .now - 5 }.sorted(by: \.id).limit(4)),
        FollowedText(
            "from the last", Event.where { $0.time <= .now }.sorted(by: \.time, .descending).limit(3).offset(1)),
        FollowedText("upcoming", Event.where { .now < $0.time }.sorted(by: \.time).first),
        FollowedText("count", Event.where { $0.time > .now - 8 && $0.time < .now + .seconds(3) }.count),
        FollowedText("exists", Event.where { $0.time > .now }.exists),
        FollowedText("none", Event.where { !($0.time > .now - 2) || $0.kind == "b" }.count),
        FollowedText("open", Event.where { $0.end == nil || $0.end > .now }.sorted(by: \.id)),
        FollowedText("average", Event.where { $0.time > .now - .seconds(6) && $0.time <= .now }.average(of: \.id)),
        FollowedText(
            "by kind",
            Event.where { $0.time > .now - 9 }.grouped { $0.kind }.aggregate { ($0.id.count(), $0.time.max()) }),
        FollowedText("recent and all", Event.all.aggregate { ($0.id.count(), $0.id.count(where: $0.time > .now - 4)) }),
        FollowedText("kinds", Event.where { $0.time > .now - 7 }.select { $0.kind }.distinct()),
        FollowedText(
            "kinds with recent ones",
            Event.all.grouped { $0.kind }.having { $0.id.count(where: $0.time > .now - 4) > 1 }
                .aggregate { $0.id.max() }),
        FollowedText(
            "with some recent readings",
            Event.where { $0.count(of: Reading.self, by: \.event) { $0.time > .now - 6 } > 1 }.sorted(by: \.id)),
        FollowedText("past", Event.all.sorted(by: \.id).select { ($0.id, $0.time < .now) }),
        FollowedText(
            "with readings",
            Event.where { $0.exists(Reading.self, by: \.event) { $0.time > .now - 6 } }.sorted(by: \.id)),
        FollowedText(
            "readings of recent events",
            Reading.joined(to: Event.self).where { $1.time > .now - 6 && $0.time < .now + 2 }.select { ($0.id, $1.id) }
        ),
        FollowedText(
            "pairs",
            Event.joined(to: Event.self, on: \.next).where { $0.time > .now - 6 && $1.time < .now + 4 }
                .select { ($0.id, $1.id) }),
        FollowedText(
            "readings beside recent events",
            Reading.joined(to: Event.self) { $0.value < $1.id && $1.time > .now - 6 }.select { ($0.id, $1.id) }),
        FollowedText(
            "events before ones with recent readings",
            Event.joined(to: Event.self) { left, right in
                left.id < right.next && right.exists(Reading.self, by: \.event) { $0.time > .now - 4 }
            }.select { ($0.id, $1.id) }),
        FollowedText("later", Event.where { $0.time + .seconds(5) > .now }.count),
    ]

    /// Queries that use the time otherwise, which are re-read every second.
    fileprivate static let reread: [FollowedText] = [
        FollowedText("second of the day", Event.where { $0.time.hour() == Term.now.hour() }.count),
        FollowedText("ages", Event.all.sorted(by: \.id).select { ($0.id, .now) }),
        FollowedText(
            "recent with readings",
            Event.where { $0.time > .now - 20 }.including(many: Reading.where { $0.time > .now - 6 }, by: \.event)
                .sorted(by: \.id)),
        FollowedText("closure") { store in try store.count(Event.self) { $0.time > .now - .seconds(5) } },
    ]
}

@Suite("Windows of time", .timeLimit(.minutes(10))) struct TimeWindowTests {
    private static func event(_ id: Int, _ clock: TestClock, _ random: inout SeededGenerator) -> Event {
        let time = clock.now.addingTimeInterval(Double(Int.random(in: -12...8, using: &random)) - 0.5)
        return Event(
            id: id, time: time, end: Bool.random(using: &random) ? nil : time + 4,
            kind: ["a", "b", "c"].randomElement(using: &random) ?? "", next: Int.random(in: 1...30, using: &random))
    }

    /// Waits until a pass after the last commit or the last move of the clock has ended.
    private static func settle(_ repository: any Repository) async throws {
        _ = try await repository.readSubscription(Event.self, id: -1).value()
    }

    private static func play(
        _ kind: StoreKind, _ windows: [FollowedText], seed: UInt64, steps: Int
    ) async throws -> (reread: Int, rereadByKey: Int) {
        let clock = TestClock()
        var random = SeededGenerator(seed: seed)
        var costs = (reread: 0, rereadByKey: 0)
        try await withRepository(kind, [Event.self, Reading.self], configuration: clock.configuration) { repository in
            try await repository.insert((1...20).map { event($0, clock, &random) }).value()
            let recorders = windows.map { $0.follow(repository) }
            for recorder in recorders { _ = await recorder.values(1) }
            let before = repository.statistics
            for step in 0..<steps {
                let (id, other) = (Int.random(in: 1...30, using: &random), Int.random(in: 1...60, using: &random))
                let changed = event(id, clock, &random)
                switch Int.random(in: 0..<10, using: &random) {
                case 0...3: clock.advance(by: Int.random(in: 1...4, using: &random))
                case 4:
                    clock.set(by: Int.random(in: -3...3, using: &random))
                    clock.advance(by: 40)
                    clock.set(by: -40)
                    try await repository.upsert(changed).value()
                case 5: _ = try? await repository.delete(Event.self, id: id).value()
                case 6:
                    try await repository.transaction { store in
                        if try store.find(Event.self, id: id) == nil { try store.create(changed) }
                        try store.upsert(
                            Reading(id: other, event: id, time: changed.time.addingTimeInterval(2), value: step))
                    }.value()
                default: try await repository.upsert(changed).value()
                }
                try await settle(repository)
                for (window, recorder) in zip(windows, recorders) {
                    let fresh = try await window.fresh(repository)
                    let found = await recorder.last(where: { $0 == fresh })
                    #expect(found == fresh, "\(window.name), seed \(seed), step \(step)")
                }
            }
            let after = repository.statistics
            costs = (after.reread - before.reread, after.rereadByKey - before.rereadByKey)
            for recorder in recorders { recorder.cancel() }
        }
        return costs
    }

    @Test(
        "R7 Rows enter and leave a window as time passes, and no window is read again",
        arguments: StoreKind.allCases, 0..<UInt64(TimeWindowTests.seeds))
    func windows(kind: StoreKind, seed: UInt64) async throws {
        let costs = try await Self.play(kind, FollowedText.maintained, seed: seed, steps: 60)
        #expect(costs.reread <= 5 && costs.rereadByKey > 60)
    }

    private static let seeds = HistoryTests.number("WINDOWS") ?? 2

    @Test("R7 A query that uses the time otherwise is read again every second", arguments: StoreKind.allCases)
    func rereads(kind: StoreKind) async throws {
        let costs = try await Self.play(kind, FollowedText.reread, seed: 7, steps: 20)
        #expect(costs.reread > 20)
    }
}
