import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite("Every hot source keeps the contract", .timeLimit(.minutes(5)))
struct SubjectLawTests {
    @Test(
        "S7 S8 S9 S10 S26 S27 S30 S34 S39 S40 Broadcast",
        arguments: [0, 1, 3], [BufferingStrategy<Never>.dropOldest, .dropNewest])
    func broadcast(bufferSize: Int, whenFull strategy: BufferingStrategy<Never>) {
        report(
            Laws.verifySubject(replays: 0) {
                let broadcast = Broadcast<LawValue, LawFailure>(bufferSize: bufferSize, whenFull: strategy)
                return LawSubject(
                    signal: broadcast.signal, send: { broadcast.send($0) }, end: { broadcast.send(completion: $0) })
            })
    }

    @Test("S7 S8 S9 S10 S26 S27 S30 S34 S39 S40 CurrentValue") func currentValue() {
        report(
            Laws.verifySubject(replays: 1) {
                let current = CurrentValue<LawValue, LawFailure>(0)
                return LawSubject(
                    signal: current.signal, send: { current.send($0) }, end: { current.send(completion: $0) })
            })
    }

    @Test("S7 S8 S9 S10 S26 S27 S30 S34 S39 S40 Replay", arguments: [1, 3]) func replay(_ count: Int) {
        report(
            Laws.verifySubject(replays: count) {
                let replay = Replay<LawValue, LawFailure>(keeping: count)
                return LawSubject(
                    signal: replay.signal, send: { replay.send($0) }, end: { replay.send(completion: $0) })
            })
    }

    @Test("S6 S7 S10 S26 an emitter") func emitter() {
        report(
            Laws.verifySource(expecting: [1, 2]) { _ in
                Signal<Int, Never>.create(bufferSize: 2, whenFull: .dropOldest) { emitter in
                    for number in 1...2 { emitter.send(number) }
                    emitter.finish()
                    emitter.send(3)
                    return {}
                }
            })
    }
}
