import Signals
import SignalsLaws
import SignalsTesting
import Testing

/// A source that may fail and one that cannot, under a test's control, and the number of their cancels.
private struct Pairing {
    let failing = Broadcast<Int, LawFailure>()
    let calm = Broadcast<Int, Never>()
    let cancels = Count()

    var failingSignal: Signal<Int, LawFailure> {
        failing.signal.handleEvents(onCancel: { [cancels] in cancels.raise() })
    }
    var calmSignal: Signal<Int, Never> { calm.signal.handleEvents(onCancel: { [cancels] in cancels.raise() }) }

    /// Sends through both sources and ends them; the one that may fail does so if `fails` is true.
    func play(failingAtTheEnd fails: Bool) {
        calm.send(10)
        failing.send(1)
        calm.send(20)
        failing.send(2)
        failing.send(completion: fails ? .failure(LawFailure(7)) : .finished)
        calm.send(30)
        calm.send(completion: .finished)
    }
}

/// Expects an overload for a signal that cannot fail to behave like the plain one with `setFailureType(to:)`.
///
/// Compares them with sources that finish, and with one that fails.
func expectAlike<Output: Sendable>(
    _ form: (Signal<Int, LawFailure>, Signal<Int, Never>) -> Signal<Output, LawFailure>,
    _ plain: (Signal<Int, LawFailure>, Signal<Int, LawFailure>) -> Signal<Output, LawFailure>,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    for fails in [false, true] {
        let (left, right) = (Pairing(), Pairing())
        let found = form(left.failingSignal, left.calmSignal).record()
        let wanted = plain(
            right.failingSignal, right.calmSignal.setFailureType(to: LawFailure.self)
        ).record()
        left.play(failingAtTheEnd: fails)
        right.play(failingAtTheEnd: fails)
        #expect(found.isEnded, sourceLocation: sourceLocation)
        #expect("\(found.history)" == "\(wanted.history)", sourceLocation: sourceLocation)
        #expect(left.cancels.value == right.cancels.value, sourceLocation: sourceLocation)
    }
}
