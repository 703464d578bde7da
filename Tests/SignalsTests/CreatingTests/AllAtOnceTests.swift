import Signals
import SignalsLaws
import SignalsTesting
import Testing

/// Tests of sources that make their values on request, with `sink`, which requests all of them at once.
@Suite struct AllAtOnceTests {
    /// Sources of 1, 2 and 3, or of 1 alone.
    private static let sources: [Signal<Int, LawFailure>] = [
        .just(1), .sequence(1...3), .sequence { (1...3).lazy.filter { $0 > 0 } },
        .unfold(0) { (state) throws(LawFailure) in
            state += 1
            return state > 3 ? nil : state
        },
    ]

    @Test("S1 S9 S11 the values arrive in order, then the end, once", arguments: sources)
    func delivers(source: Signal<Int, LawFailure>) {
        let log = Log()
        let token = source.map { $0 * 10 }.sink(onValue: log.add, onCompletion: log.end)
        #expect(log.values == Array([10, 20, 30].prefix(log.values.count)) && !log.values.isEmpty)
        #expect(log.ends == [.finished] && token.isEnded)
    }

    @Test("S5 S13 no stage runs after a cancel that comes before the upstream", arguments: sources)
    func cancelledBefore(source: Signal<Int, LawFailure>) {
        let (log, token) = (Log(), SignalToken())
        token.cancel()
        source.map(log.add).sink(cancelledBy: token, onValue: {}, onCompletion: log.end)
        #expect(log.values.isEmpty && log.ends.isEmpty)
    }

    @Test("S3 S27 S31 the token can cancel inside the first value, and no end follows", arguments: sources)
    func cancelledInside(source: Signal<Int, LawFailure>) {
        let (log, token) = (Log(), SignalToken())
        source.sink(
            cancelledBy: token,
            onValue: {
                log.add($0)
                token.cancel()
            }, onCompletion: log.end)
        #expect(log.values == [1] && log.ends.isEmpty)
    }

    @Test("S4 a second run under the token of the first delivers nothing", arguments: sources)
    func second(source: Signal<Int, LawFailure>) {
        let (first, second, token) = (Log(), Log(), SignalToken())
        Broadcast<Int, LawFailure>().signal.append(.never())
            .sink(cancelledBy: token, onValue: first.add, onCompletion: first.end)
        source.sink(cancelledBy: token, onValue: second.add, onCompletion: second.end)
        #expect(second.values.isEmpty && second.ends.isEmpty && !token.isEnded)
    }

    @Test("S6 S34 the references of a run are released at its end, although its token is kept", arguments: sources)
    func released(source: Signal<Int, LawFailure>) {
        weak var watched: Log?
        let token: SignalToken
        do {
            let log = Log()
            watched = log
            token = source.filter { _ in true }.sink(onValue: log.add, onCompletion: log.end)
        }
        #expect(watched == nil && token.isEnded)
    }

    @Test("S10 an error that a source throws fails the run") func fails() {
        let log = Log()
        Signal<Int, LawFailure>.unfold(0) { (state) throws(LawFailure) in
            if state == 2 { throw LawFailure() }
            state += 1
            return state
        }.sink(onValue: log.add, onCompletion: log.end).detach()
        #expect(log.values == [1, 2] && log.ends == [.failure(LawFailure())])
    }

    @Test("S11 an empty sequence ends during attach, once") func empty() {
        let log = Log()
        Signal<Int, LawFailure>.sequence([]).sink(onValue: log.add, onCompletion: log.end).detach()
        #expect(log.values.isEmpty && log.ends == [.finished])
    }

    @Test("S14 a stage that observes requests sees one request for all values") func watched() {
        let (log, requests) = (Log(), Lock<[Demand]>([]))
        Signal<Int, LawFailure>.sequence(1...3).handleEvents(onRequest: { demand in
            requests.withLock { $0.append(demand) }
        }).sink(onValue: log.add, onCompletion: log.end).detach()
        #expect(log.values == [1, 2, 3] && requests.withLock { $0 } == [.unlimited])
    }
}

/// The values and the completions that a sink has received.
private final class Log: Sendable {
    private let received = Lock<(values: [Int], ends: [Completion<LawFailure>])>(([], []))

    var values: [Int] { received.withLock { $0.values } }
    var ends: [Completion<LawFailure>] { received.withLock { $0.ends } }

    @Sendable func add(_ value: Int) { received.withLock { $0.values.append(value) } }
    @Sendable func end(_ completion: Completion<LawFailure>) { received.withLock { $0.ends.append(completion) } }
}
