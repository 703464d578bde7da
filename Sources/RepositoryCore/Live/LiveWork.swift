import Foundation

/// The queries that the live engine must update or read in its next pass; unfinished ones stay for the following pass.
struct LiveWork {
    typealias Due = (query: any SharedQuery, effect: UpdateEffect)

    private var due: [ObjectIdentifier: Due] = [:]

    var hasReads: Bool { due.values.contains { $0.effect > .updatedInPlace } }

    /// Applies a commit to the queries that it may affect, and adds the queries; returns how many its rows can update.
    mutating func take(_ record: CommitRecord, _ index: LiveIndex) -> Int {
        let match = index.match(record)
        for query in match.reread { add(query, .needsReread) }
        for (query, changes) in match.apply where due[ObjectIdentifier(query)]?.effect != .needsReread {
            add(query, query.apply(changes))
        }
        return match.apply.count
    }

    /// Adds a query with the effect of a change, unless the query already has the same or a greater effect.
    mutating func add(_ query: any SharedQuery, _ effect: UpdateEffect) {
        let id = ObjectIdentifier(query)
        if effect > due[id]?.effect ?? .unaffected { due[id] = (query, effect) }
    }

    mutating func remove(_ query: any SharedQuery) { due[ObjectIdentifier(query)] = nil }

    /// Removes and returns the queries with an effect.
    mutating func take(_ effect: UpdateEffect) -> [any SharedQuery] {
        defer { due = due.filter { $0.value.effect != effect } }
        return due.values.filter { $0.effect == effect }.map(\.query)
    }

    mutating func takeAll() -> [Due] {
        defer { due = [:] }
        return Array(due.values)
    }
}

/// The messages from other threads that wait for the next pass of the live engine.
struct LiveInbox {
    var arrivals: [LiveArrival] = []
    var departures: [LatestOutbox] = []
    var isPassScheduled = false
    /// Whether a call of `sweep()`, which removes the departures, is scheduled.
    var isSweepScheduled = false
    /// Whether the next pass must open a snapshot to check for commits by other connections, even without a query.
    var mustPoll = false
    var isClosed = false

    /// Whether the next pass must open a snapshot, even without new commits.
    var hasReads: Bool { !arrivals.isEmpty || mustPoll }
}

/// The timer that begins a pass of the live engine when a result changes without a commit.
struct LiveTimer {
    /// The longest wait; a timer does not notice if the repository's clock is set forward, but the next pass does.
    private static let longestWait = Duration.seconds(30)
    /// The end of the wait, by the clock of the live queue; `nil` if no pass is scheduled.
    private var end: Duration?
    /// The time at which the last wait began, by the repository's clock, and the length of the wait.
    private var last: (time: Date, wait: Duration)?

    /// Schedules a pass, unless an earlier one is already scheduled.
    ///
    /// While the clock of the repository stands still, each wait is twice as long as the last.
    mutating func set(
        to due: Date, at time: Date, _ now: Duration, _ schedule: (_ wait: Duration, _ end: Duration) -> Void
    ) {
        var wait = min(max(.seconds(due.timeIntervalSince(time)), .milliseconds(1)), Self.longestWait)
        if let end, end <= now + wait { return }
        if let last, last.time == time, end == nil { wait = min(max(wait, last.wait * 2), Self.longestWait) }
        (end, last) = (now + wait, (time, wait))
        schedule(wait, now + wait)
    }

    /// Notes the end of a wait; returns `false` if a wait that ends earlier has replaced this one.
    mutating func fire(_ end: Duration) -> Bool {
        guard end == self.end else { return false }
        self.end = nil
        return true
    }
}
