import Synchronization

/// The latest value that many sinks follow, stored once for all of them.
///
/// A new value replaces the last one without touching the followers, and a `FanOut` then calls them. The sender states
/// whether the value equals the previous one, so a follower compares values only after it has missed one. It compares
/// them outside all locks, since `==` is foreign code.
package final class LatestSource: Sendable {
    /// A boxed value.
    ///
    /// The followers of the source know the value's type.
    package typealias Box = AnyObject & Sendable

    /// The value and the failure to deliver.
    struct Latest {
        var box: (any Box)?
        /// The number of values sent.
        var sendCount = 0
        /// The number of values sent that differed from the previous value.
        var version = 0
        /// The failure of the run.
        ///
        /// A follower that has requested the latest value gets that value before the failure.
        var failure: (any Error)?
    }

    private struct State {
        var latest = Latest()
        var followers = 0
        var isAbandoned = false
    }

    private let state: Lock<State>
    /// A copy of the latest value's version, which can be read without the lock.
    private let version = Atomic(0)
    let isSame: @Sendable (any Box, any Box) -> Bool
    private let onLeave: @Sendable (LatestOutbox) -> Void
    private let onAbandon: @Sendable () -> Void

    /// Creates a source of boxed values that calls `onLeave` for each follower that cancels, and `onAbandon` once, when
    /// the last follower has left.
    package init<Value: Sendable>(
        isSame: @escaping @Sendable (Value, Value) -> Bool,
        onLeave: @escaping @Sendable (LatestOutbox) -> Void = { _ in },
        onAbandon: @escaping @Sendable () -> Void = {}
    ) {
        state = Lock(State())
        self.isSame = { one, other in
            guard let one = one as? NumberedValue<Value>, let other = other as? NumberedValue<Value> else {
                return false
            }
            return isSame(one.value, other.value)
        }
        (self.onLeave, self.onAbandon) = (onLeave, onAbandon)
    }

    init(failure: any Error) {
        state = Lock(State(latest: Latest(failure: failure)))
        (isSame, onLeave, onAbandon) = ({ $0 === $1 }, { _ in }, {})
    }

    var latest: Latest { state.withLock { $0.latest } }

    func isLatest(_ version: Int) -> Bool { self.version.load(ordering: .acquiring) == version }

    /// Replaces the value; returns its delivery to the given followers as a `FanOut`, which the caller must run.
    ///
    /// With `isSame`, the value equals the previous one. Followers that have the previous value do not get this one.
    package func send(
        _ box: any Box, isSame: Bool = false, to followers: ContiguousArray<LatestOutbox>
    ) -> FanOut? {
        let (version, replaced) = state.withLock { state in
            let replaced = state.latest.box
            state.latest.box = box
            state.latest.sendCount += 1
            if !isSame { state.latest.version += 1 }
            self.version.store(state.latest.version, ordering: .releasing)
            return (state.latest.version, replaced)
        }
        withExtendedLifetime(replaced) {}
        if followers.count <= FanOut.unsharedLimit {
            let claimed: ContiguousArray = followers.filter { $0.claim() }
            return claimed.isEmpty ? nil : FanOut(claimed, box, version, of: self, areClaimed: true)
        }
        // A follower that requests later finds the value by itself.
        return followers.contains { $0.hasDemand } ? FanOut(followers, box, version, of: self, areClaimed: false) : nil
    }

    package func fail(_ error: any Error, to followers: ContiguousArray<LatestOutbox>) {
        state.withLock { $0.latest.failure = error }
        for follower in followers { follower.notify() }
    }

    /// Adds a follower; returns false if the last follower has already left.
    func enter() -> Bool {
        state.withLock { state in
            if !state.isAbandoned { state.followers += 1 }
            return !state.isAbandoned
        }
    }

    func leave(_ follower: LatestOutbox?) {
        let isLast = state.withLock { state in
            state.followers -= 1
            if state.followers == 0 { state.isAbandoned = true }
            return state.isAbandoned
        }
        if isLast { onAbandon() }
        if let follower { onLeave(follower) }
    }
}

/// A value for the followers of a source, with its number.
package final class NumberedValue<Value: Sendable>: Sendable {
    package let number: Int
    package let value: Value

    package init(number: Int, value: Value) {
        (self.number, self.value) = (number, value)
    }
}
