public import RepositoryCore
import Signals

/// The failures and delays that a test has set, and the calls recorded so far.
struct Script: Sendable {
    var calls: [RepositoryCall] = []
    var failures: [Failure] = []
    var delays: [Delay] = []

    /// Records a call; returns the failure and the delay that apply to it.
    mutating func enter(_ call: RepositoryCall, isLive: Bool) -> (failure: Failure?, delay: Delay?) {
        calls.append(call)
        return (takeFailure(of: call, isLive: isLive), delays.last { $0.calls.contain(call) })
    }

    /// Returns the most recent failure that applies to a call, and decrements its remaining count.
    private mutating func takeFailure(of call: RepositoryCall, isLive: Bool) -> Failure? {
        let index = failures.lastIndex { failure in
            failure.remaining != 0 && (isLive || failure.values <= 0) && failure.calls.contain(call)
        }
        guard let index else { return nil }
        failures[index].remaining = failures[index].remaining.map { $0 - 1 }
        return failures[index]
    }

    /// Removes and returns every failure and delay.
    mutating func takeRules() -> ([Failure], [Delay]) {
        defer { (failures, delays) = ([], []) }
        return (failures, delays)
    }
}

/// The calls to which a failure or a delay applies.
struct CallFilter: Sendable {
    let name: String?
    let entity: String?

    func contain(_ call: RepositoryCall) -> Bool {
        (name == nil || name == call.name) && (entity.map { call.entities.contains($0) } ?? true)
    }
}

/// An error that a test has set.
struct Failure: Sendable {
    let calls: CallFilter
    let error: RepositoryError
    /// The number of values that a live call delivers before the error.
    let values: Int
    /// The number of calls that still fail; all of them if it is nil.
    var remaining: Int?
}

/// A delay that a test has set.
struct Delay: Sendable {
    let calls: CallFilter
    let time: Duration
    let scheduler: any SignalScheduler
}

extension Diagnosis {
    /// A diagnosis for errors that a test makes up: `.busy(.stubbed)`, `.full(.stubbed)`.
    public static let stubbed = Diagnosis(engine: "Test", code: "0", message: "a test asked for this failure")
}
