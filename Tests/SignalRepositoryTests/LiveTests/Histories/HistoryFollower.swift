import SignalRepository
import Signals
import SignalsTesting

/// An attached live endpoint, with the values that it delivered and those that it should have delivered.
struct HistoryFollower: Sendable {
    /// Requests more values.
    let request: @Sendable (Demand) -> Void
    let cancel: @Sendable () -> Void
    /// Waits for the end, which comes when the repository closes; returns at once if the signal was cancelled.
    let end: @Sendable () async -> Void
    /// The faults of the delivered values, given the states of the store.
    let faults: @Sendable (HistoryLog, _ last: Int) -> [String]
    /// The faults of the last value, given the last state of the store.
    let stale: @Sendable (HistoryState) -> [String]

    /// Attaches the live signal that `verb` makes from the repository.
    ///
    /// - Parameters:
    ///   - demand: The initial demand.
    ///   - expected: The value that the endpoint should have for a state.
    init<Output: StoredValue>(
        _ name: String, _ repository: HistoryRepository, demand: Demand,
        _ verb: (HistoryRepository) -> Signal<Output, RepositoryError>,
        expected: @escaping @Sendable (HistoryState) -> Output
    ) {
        let run = FollowedRun<Output>(
            name: name, first: repository.number, recorder: Recorder(demand: demand), expected: expected)
        var received = repository
        received.onCommit = { number in run.commits.withLock { $0.append(number) } }
        verb(received).attach(run.recorder.sink)
        request = { run.recorder.request($0) }
        cancel = {
            run.isCancelled.add()
            run.recorder.cancel()
        }
        end = { if run.isCancelled.value == 0 { _ = await run.recorder.end() } }
        faults = { log, last in run.faults(log, last: last) }
        stale = { run.stale($0) }
    }
}

private struct FollowedRun<Output: StoredValue>: Sendable {
    let name: String
    /// How many commits there were when it was attached.
    let first: Int
    let recorder: Recorder<Output, RepositoryError>
    let commits = Lock<[Int]>([])
    let isCancelled = Counter()
    let expected: @Sendable (HistoryState) -> Output

    func faults(_ log: HistoryLog, last: Int) -> [String] {
        let values = Array(zip(commits.withLock { $0 }, recorder.values))
        var faults = recorder.breaches.map { "\(name): \($0)" }
        if let commit = values.first?.0, commit < first { faults.append("\(name) began at \(commit), not at \(first)") }
        for (commit, value) in values {
            guard let state = log.state(at: commit) else {
                faults.append("\(name): there was no commit \(commit)")
                continue
            }
            let right = expected(state)
            if value.isStored(like: right) { continue }
            faults.append("\(name) at commit \(commit): \(value) instead of \(right)")
        }
        for (earlier, later) in zip(values, values.dropFirst()) {
            if earlier.0 >= later.0 { faults.append("\(name) went from commit \(earlier.0) to \(later.0)") }
            let isRepeated = earlier.1.isStored(like: later.1)
            if isRepeated { faults.append("\(name) repeated \(later.1) at commit \(later.0)") }
        }
        guard isCancelled.value == 0 else { return faults }
        return faults + ending(log.state(at: last).map(expected))
    }

    /// The faults of the last value, if the states in between are unknown because another program commits.
    func stale(_ state: HistoryState) -> [String] {
        let faults = recorder.breaches.map { "\(name): \($0)" }
        return isCancelled.value == 0 ? faults + ending(expected(state)) : faults
    }

    private func ending(_ right: Output?) -> [String] {
        let (last, commit) = (recorder.values.last, commits.withLock { $0.last })
        var faults: [String] = []
        if !last.isStored(like: right) {
            faults.append("\(name) stopped at \(commit as Any): \(last as Any), while the store has \(right as Any)")
        }
        if case .failure(.closed)? = recorder.completion { return faults }
        return faults + ["\(name) ended with \(recorder.completion as Any)"]
    }
}
