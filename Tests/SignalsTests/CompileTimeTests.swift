import Dispatch
import Signals
import SignalsLaws
import SignalsTesting
import Testing

/// User code that must compile in the Swift 6 language mode without a warning, as this file does.
@Suite("Compile-time guarantees", .timeLimit(.minutes(5))) struct CompileTimeTests {
    @MainActor
    final class Screen {
        private(set) var titles: [String] = []
        private var tokens: Set<SignalToken> = []

        func follow(_ signal: Signal<String, Never>, _ done: Broadcast<Void, Never>) {
            signal.isolatedSink(
                bufferSize: 16, whenFull: .suspend, onValue: { [weak self] in self?.titles.append($0) },
                onCompletion: { [weak self] _ in
                    self?.titles.append("end")
                    done.send()
                }
            ).store(in: &tokens)
        }
    }

    actor Counter {
        private(set) var total = 0
        private var token: SignalToken?

        func follow(_ signal: Signal<Int, Never>, _ done: Broadcast<Void, Never>) {
            token = signal.isolatedSink(
                bufferSize: 16, whenFull: .suspend,
                onValue: { self.total += $0 }, onCompletion: { _ in done.send() })
        }

        func followWeakly(_ signal: Signal<Int, Never>, _ done: Broadcast<Void, Never>) {
            token = signal.isolatedSink(
                on: self, bufferSize: 16, whenFull: .suspend,
                onValue: { counter, value in counter.total += value }, onCompletion: { _, _ in done.send() })
        }
    }

    @Test("S43 a sink can use the state of a main-actor class") @MainActor func mainActor() async {
        let done = Broadcast<Void, Never>()
        let end = done.signal.record()
        let screen = Screen()
        screen.follow(.sequence(["a", "b"]).receive(on: DispatchQueue.global()), done)
        #expect(screen.titles.isEmpty, "Nothing is delivered before the call returns.")
        _ = await end.values(1)
        #expect(screen.titles == ["a", "b", "end"])
    }

    @Test("S43 a sink can use the state of an actor") func anActor() async {
        let done = Broadcast<Void, Never>()
        let end = done.signal.record()
        let counter = Counter()
        await counter.follow(.sequence(1...100), done)
        _ = await end.values(1)
        #expect(await counter.total == 5_050)
        let weakly = Counter()
        await weakly.followWeakly(.sequence(1...100), done)
        _ = await end.values(2)
        #expect(await weakly.total == 5_050)
    }

    @Test("S43 a signal, its parts and its tokens can cross threads") func sendable() async {
        func send(_ value: some Sendable) -> Bool { true }
        let current = CurrentValue<Int, LawFailure>(1)
        #expect(send(current) && send(current.signal) && send(current.signal.values) && send(SignalToken()))
        #expect(send(Broadcast<Int, Never>()) && send(Demand.max(1)) && send(Completion<LawFailure>.finished))
        let value = await Task.detached { await Signal<Int, Never>.just(7).value() }.value
        #expect(value == 7)
    }

    @Test("S43 a typed failure stays typed") func typedFailure() async {
        do throws(LawFailure) {
            try await Signal<Int, LawFailure>.fail(LawFailure(4)).value()
            Issue.record("The signal did not fail.")
        } catch {
            #expect(error.code == 4)
        }
        do throws(LawFailure) {
            var iterator = Signal<Int, LawFailure>.fail(LawFailure(5)).values.makeAsyncIterator()
            _ = try await iterator.next()
            Issue.record("The signal did not fail.")
        } catch {
            #expect(error.code == 5)
        }
    }

    private struct Film: Sendable { var title: String, gross: Double }

    private static func earned(_ found: ((Film, Double), Int)) -> Signal<(title: String, sum: Double), LawFailure> {
        let ((film, rate), count) = found
        return .just((film.title, film.gross * rate * Double(count)))
    }

    private static func add(
        _ sum: (title: String, sum: Double), _ next: (title: String, sum: Double)
    ) -> (title: String, sum: Double) {
        (next.title, sum.sum + next.sum)
    }

    @Test("S43 a chain of twelve operators over tuples, with functions as steps, compiles") func chain() {
        let texts = Signal<String, Never>.sequence(["", "a", "a", "b"])
        let rates = Signal<Double, LawFailure>.just(2)
        let counts = Signal<Int, Never>.just(3)
        let lines =
            texts
            .removeDuplicates()
            .filter { !$0.isEmpty }
            .flatMapLatest { Signal<[Film], LawFailure>.just([Film(title: $0, gross: 1)]) }
            .flatMap { Signal<Film, LawFailure>.sequence($0) }
            .withLatest(from: rates)
            .combineLatest(counts)
            .flatMapLatest(Self.earned)
            .scan(("", 0), Self.add)
            .removeDuplicates { $0.title == $1.title }
            .pairwise()
            .map { "\($0.title) \($1.title) \($1.sum)" }
            .enumerated()
        #expect(lines.map { "\($0.offset) \($0.element)" }.record().isEnded)
    }
}
