/// The queries that the live engine must update or read in its next pass; unfinished ones stay for the pass after it.
struct LiveWork {
    typealias Due = (query: any SharedQuery, effect: UpdateEffect)

    private var due: [ObjectIdentifier: Due] = [:]

    var hasReads: Bool { due.values.contains { $0.effect > .updatedInPlace } }

    /// Applies a commit to the queries that it affects, and adds them; returns how many queries its rows may affect.
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

    /// Removes and returns the queries that were updated in place and must send their results.
    mutating func takeUpdated() -> [any SharedQuery] {
        // Every entry is at least `.updatedInPlace`, because `add` drops `.unaffected`.
        defer { if hasReads { due = due.filter { $0.value.effect > .updatedInPlace } } else { due.removeAll() } }
        return due.values.filter { $0.effect == .updatedInPlace }.map(\.query)
    }

    mutating func takeKeyed() -> [any SharedQuery] {
        defer { due = due.filter { $0.value.effect != .rereadByKey } }
        return due.values.filter { $0.effect == .rereadByKey }.map(\.query)
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
    /// Queries whose read failed and must be retried.
    var retries: [LiveWork.Due] = []
    var isPassScheduled = false
    /// Whether a call of `sweep()`, which removes the departures, is scheduled.
    var isSweepScheduled = false
    /// Whether the next pass must open a snapshot to check for commits by other connections, even without a query.
    var mustPoll = false
    var isClosed = false

    /// Whether the next pass must open a snapshot, even without new commits.
    var hasReads: Bool { !arrivals.isEmpty || !retries.isEmpty || mustPoll }
}

/// The timer that begins a pass of the live engine when a result changes without a commit.
struct LiveTimer {
    /// The longest wait: a timer does not notice that the clock was set forward, so a pass has to look.
    private static let longestWait = Duration.seconds(30)
    /// The time of the scheduled pass, by the clock that measures pauses.
    private var end: Duration?

    /// Schedules a pass after a wait, unless an earlier pass is scheduled.
    mutating func set(to wait: Duration, at now: Duration, _ schedule: (Duration) -> Void) {
        let wait = min(max(wait, .milliseconds(1)), Self.longestWait)
        if let end, end <= now + wait { return }
        end = now + wait
        schedule(wait)
    }
}
