import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite("The asynchronous bridges keep the contract", .timeLimit(.minutes(5)))
struct AsyncLawTests {
    @Test("S41 values", arguments: [1, 2, 16]) func values(_ prefetch: Int) async {
        report(await Laws.verifyAsync(bound: prefetch) { $0.values(prefetch: prefetch) })
    }

    @Test("S41 values of a signal that is made from values") func thereAndBack() async {
        report(await Laws.verifyAsync(bound: 9) { Signal($0.values(prefetch: 4)).values(prefetch: 4) })
    }
}
