/// The latest of the values that many sinks follow, stored once for all of them.
///
/// A new value touches none of its followers: it replaces the last one, and a `FanOut` then walks them. What is sent is
/// known to differ from what was sent before, unless the sender says otherwise. So only a follower that has missed a
/// value compares, outside all locks, since comparing is foreign code.
package final class LatestSource: Sendable {
    /// An object of which its receivers know what is in it.
    package typealias Letter = AnyObject & Sendable

    /// What there is to deliver.
    struct Latest {
        var letter: (any Letter)?
        /// How often something was sent.
        var count = 0
        /// How often that was different from before.
        var changes = 0
        /// Comes after the value, if that is requested, and in its place otherwise.
        var failure: (any Error)?
    }

    private struct State {
        var latest = Latest()
        var followers = 0
        var isAbandoned = false
    }

    private let state: Lock<State>
    let isSame: @Sendable (any Letter, any Letter) -> Bool
    private let onLeave: @Sendable (LatestOutbox) -> Void
    private let onAbandon: @Sendable () -> Void

    /// Makes a source that calls `onLeave` for each follower that cancels, and `onAbandon` once, when none is left.
    package init(
        isSame: @escaping @Sendable (any Letter, any Letter) -> Bool,
        onLeave: @escaping @Sendable (LatestOutbox) -> Void = { _ in },
        onAbandon: @escaping @Sendable () -> Void = {}
    ) {
        state = Lock(State())
        (self.isSame, self.onLeave, self.onAbandon) = (isSame, onLeave, onAbandon)
    }

    /// A source of nothing but a failure.
    init(failure: any Error) {
        state = Lock(State(latest: Latest(failure: failure)))
        (isSame, onLeave, onAbandon) = ({ $0 === $1 }, { _ in }, {})
    }

    var latest: Latest { state.withLock { $0.latest } }

    /// Replaces the value, and returns its delivery to those of the followers that are given.
    ///
    /// With `isSame`, it equals the value before: only those to whom nothing was sent since they follow get it.
    package func send(
        _ letter: any Letter, isSame: Bool = false, to followers: ContiguousArray<LatestOutbox>
    ) -> FanOut? {
        let (changes, replaced) = state.withLock { state in
            let replaced = state.latest.letter
            state.latest.letter = letter
            state.latest.count += 1
            if !isSame { state.latest.changes += 1 }
            return (state.latest.changes, replaced)
        }
        withExtendedLifetime(replaced) {}
        // Whoever requests from now on finds the value by itself.
        if followers.count <= FanOut.few { return FanOut(claimed: followers.filter { $0.claim() }) }
        return followers.contains { $0.isWanting } ? FanOut(followers, letter, changes) : nil
    }

    /// Ends the run of each of the followers that are given, which gets the last value only if it has requested it.
    package func fail(_ error: any Error, to followers: ContiguousArray<LatestOutbox>) {
        state.withLock { $0.latest.failure = error }
        for follower in followers { follower.notify() }
    }

    /// Takes one more in; false when the last one has left before.
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

/// A value on its way to the sinks that follow its source, and a number that belongs to it.
package final class LatestValue<Value: Sendable>: Sendable {
    package let number: Int
    package let value: Value

    package init(number: Int, value: Value) {
        (self.number, self.value) = (number, value)
    }
}
