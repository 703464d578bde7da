import Signals
import SignalsTesting
import Testing

private struct Late: Error, Equatable {}
private typealias Inner = Signal<Signal<Int, Late>, Late>
private typealias Two = @Sendable (Signal<Int, Late>, Signal<Int, Late>) -> Signal<Int, Late>
private typealias Throwing = @Sendable (Signal<Int, Late>, SignalToken) -> Signal<Int, Late>

/// Discards are reported under the name of the operator that the user wrote, whichever engine implements it.
@Suite("Discarding") struct DiscardingTests {
    /// Operators with two upstreams, one of which fails too late.
    private static let joining: [(name: String, make: Two)] = [
        ("merge", { $0.merge(with: $1) }),
        ("flatMap", { one, other in Inner.sequence([one, other]).flatMap { $0 } }),
        ("zip", { $0.zip($1).map { $0.0 + $0.1 } }),
        ("combineLatest", { $0.combineLatest($1).map { $0.0 + $0.1 } }),
        ("withLatest", { $0.withLatest(from: $1).map { $0.0 + $0.1 } }),
        ("race", { $0.race(with: $1) }),
        ("switchToLatest", { Inner.sequence([$0, $1]).switchToLatest() }),
        ("flatMapLatest", { one, other in Inner.sequence([one, other]).flatMapLatest { $0 } }),
    ]

    @Test("S10 a failure that arrives too late is reported under its operator's name", arguments: joining.indices)
    func secondFailure(_ index: Int) {
        let (name, make) = Self.joining[index]
        let discards = Discards(of: Late.self)
        let (left, right) = (Probe<Int, Late>(.faulty), Probe<Int, Late>(.faulty))
        let recorder = make(left.rawSignal, right.rawSignal).record()
        if name == "switchToLatest" || name == "flatMapLatest" {
            right.send(1)
            left.fail(Late())
        } else {
            left.fail(Late())
            right.fail(Late())
        }
        #expect(discards.stages.contains(name), "\(name): \(discards.stages)")
        recorder.cancel()
    }

    /// Operators whose closure cancels the run and then throws.
    private static let throwing: [(name: String, make: Throwing)] = [
        ("tryMap", { $0.tryMap(late($1)) }),
        ("tryFilter", { $0.tryFilter(late($1)) }),
        ("tryCompactMap", { $0.tryCompactMap(late($1)) }),
        ("tryScan", { upstream, token in upstream.tryScan(0) { _, _ throws(Late) in try late(token)(0) } }),
        ("tryReduce", { upstream, token in upstream.tryReduce(0) { _, _ throws(Late) in try late(token)(0) } }),
        ("tryMax", { upstream, token in upstream.tryMax { _, _ throws(Late) in try late(token)(0) } }),
        ("tryMin", { upstream, token in upstream.tryMin { _, _ throws(Late) in try late(token)(0) } }),
        ("tryContains", { $0.tryContains(where: late($1)).map { $0 ? 1 : 0 } }),
        ("tryAllSatisfy", { $0.tryAllSatisfy(late($1)).map { $0 ? 1 : 0 } }),
        ("tryFirst", { $0.tryFirst(where: late($1)) }),
        ("tryLast", { $0.tryLast(where: late($1)) }),
        ("tryDropWhile", { $0.tryDrop(while: late($1)) }),
        ("tryPrefixWhile", { $0.tryPrefix(while: late($1)) }),
        (
            "tryRemoveDuplicates",
            { upstream, token in upstream.tryRemoveDuplicates { _, _ throws(Late) in try late(token)(0) } }
        ),
    ]

    private static func late<Output>(_ token: SignalToken) -> @Sendable (Int) throws(Late) -> Output {
        { _ throws(Late) in
            token.cancel()
            throw Late()
        }
    }

    @Test("S10 an error thrown too late is reported under its operator's name", arguments: throwing.indices)
    func thrownTooLate(_ index: Int) {
        let (name, make) = Self.throwing[index]
        let discards = Discards(of: Late.self)
        let token = SignalToken()
        make(.sequence(1...9), token).sink(cancelledBy: token, onValue: { _ in }, onCompletion: { _ in })
        #expect(discards.stages.contains(name), "\(name): \(discards.stages)")
    }

    @Test(
        "S10 a value that a hot source drops is reported under the name that the user wrote",
        arguments: ["share", "multicast", "Broadcast"])
    func hot(_ name: String) {
        struct Item: Sendable {
            let name: String
        }
        let item = Item(name: name)
        let discards = Discards(of: Item.self) { $0.name == name }
        let source = Probe<Item, Never>()
        let broadcast = Broadcast<Item, Never>()
        switch name {
        case "share":
            // Another sink has requested the item.
            let shared = source.signal.share()
            let (recorder, other) = (shared.record(demand: .none), shared.record())
            source.send(item)
            recorder.cancel()
            other.cancel()
        case "multicast":
            let shared = source.signal.multicast()
            let (recorder, other) = (shared.signal.record(demand: .none), shared.signal.record())
            let connection = shared.connect()
            source.send(item)
            connection.cancel()
            recorder.cancel()
            other.cancel()
        default:
            let recorder = broadcast.signal.record(demand: .none)
            broadcast.send(item)
            recorder.cancel()
        }
        #expect(discards.stages == [name])
    }
}
