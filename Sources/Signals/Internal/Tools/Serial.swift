/// The state of one attached stage, used by one delivery at a time.
@usableFromInline
final class Serial<State>: @unchecked Sendable {
    // Safe because calls to one sink never overlap and each happens before the next (S7): only they use the state.
    @usableFromInline @exclusivity(unchecked) var state: State

    @inlinable
    init(_ state: State) { self.state = state }
}
