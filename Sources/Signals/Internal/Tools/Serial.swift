/// The state of one attached stage, used by one delivery at a time.
@usableFromInline
final class Serial<State>: @unchecked Sendable {
    // Safe because only calls to the stage's sink use `state`, and each call happens before the next (Contract.md, S7).
    @usableFromInline @exclusivity(unchecked) var state: State

    @inlinable
    init(_ state: State) { self.state = state }
}
