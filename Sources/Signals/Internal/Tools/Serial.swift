/// The state of one attached stage, used by one delivery at a time.
@usableFromInline
final class Serial<State>: @unchecked Sendable {
    // Safe because only calls to the stage's sink use the state: one at a time, each after the one before (clause S7).
    @usableFromInline @exclusivity(unchecked) var state: State

    @inlinable
    init(_ state: State) { self.state = state }
}
