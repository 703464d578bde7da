/// The state of one attached stage, touched by one delivery at a time.
@usableFromInline
final class Serial<State>: @unchecked Sendable {
    // Safe because signals to one sink never overlap and each happens before the next (S7): a stage touches its state
    // only while it is being delivered to.
    @usableFromInline @exclusivity(unchecked) var state: State

    @inlinable
    init(_ state: State) { self.state = state }
}
