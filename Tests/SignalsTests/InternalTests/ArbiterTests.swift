import SignalsTesting
import Testing

@testable import Signals

@Suite(.timeLimit(.minutes(5))) struct ArbiterTests {
    private func upstream(_ asked: Lock<[Demand]>, _ cancels: Count = Count()) -> Upstream {
        Upstream(request: { demand in asked.withLock { $0.append(demand) } }, cancel: { cancels.raise() })
    }

    @Test("S18 requests the outstanding demand from the next upstream") func outstanding() {
        let arbiter = Arbiter()
        let first = Lock<[Demand]>([])
        let second = Lock<[Demand]>([])
        arbiter.request(.max(3))
        arbiter.receive(upstream: upstream(first))
        arbiter.request(.max(2))
        #expect(first.withLock { $0 } == [.max(3), .max(2)])
        #expect(arbiter.delivered(adding: .max(1)) == .max(1))
        arbiter.dropUpstream()
        arbiter.request(.max(1))
        arbiter.receive(upstream: upstream(second))
        #expect(second.withLock { $0 } == [.max(6)])
    }

    @Test("S5 S6 cancels the upstream it has, and any that arrives later") func cancel() {
        let arbiter = Arbiter()
        let cancels = Count()
        arbiter.receive(upstream: upstream(Lock([]), cancels))
        arbiter.cancel()
        arbiter.cancel()
        #expect(cancels.value == 1 && arbiter.isCancelled)
        arbiter.receive(upstream: upstream(Lock([]), cancels))
        #expect(cancels.value == 2)
    }

    @Test("S18 an upstream of an earlier turn is cancelled") func turns() {
        let arbiter = Arbiter()
        let cancels = Count()
        let (first, _) = arbiter.turn()
        let (second, _) = arbiter.turn()
        arbiter.receive(upstream: upstream(Lock([]), cancels), turn: first)
        #expect(cancels.value == 1)
        arbiter.receive(upstream: upstream(Lock([])), turn: second)
        #expect(arbiter.dropUpstream(turn: first) == nil && arbiter.dropUpstream(turn: second) != nil)
    }

    @Test("S14 S18 while upstreams change, no request is lost or counted twice")
    func threads() {
        for _ in 0..<200 {
            let arbiter = Arbiter()
            let last = Lock<Lock<[Demand]>>(Lock([]))
            onThreads(2) { thread in
                for _ in 0..<50 {
                    if thread == 0 {
                        arbiter.request(.max(1))
                    } else {
                        let asked = Lock<[Demand]>([])
                        last.withLock { $0 = asked }
                        arbiter.dropUpstream()
                        arbiter.receive(upstream: upstream(asked))
                    }
                }
            }
            let asked = last.withLock { $0 }.withLock { $0.reduce(.none, +) }
            #expect(asked == .max(50) && arbiter.outstanding.current == .max(50))
        }
    }

    @Test("S14 S18 a value that races a new turn is counted before the next upstream's request, or not delivered")
    func takeBesideATurn() {
        let arbiter = Arbiter()
        let turn = Lock(arbiter.turn().number)
        let taken = Lock(false)
        let asked = Lock<[Demand]>([])
        arbiter.request(.max(1))
        let returned = Rounds.run(100_000) { thread, _ in
            if thread == 0 {
                let number = turn.withLock { $0 }
                let isTaken = arbiter.take(turn: number)
                taken.withLock { $0 = isTaken }
            } else {
                let number = arbiter.turn().number
                arbiter.receive(upstream: self.upstream(asked), turn: number)
            }
        } check: { _ in
            turn.withLock { $0 += 1 }
            let isTaken = taken.withLock { $0 }
            let demand = asked.withLock { asked in
                defer { asked = [] }
                return asked.reduce(Demand.none) { $0 + $1 }
            }
            if isTaken { arbiter.request(.max(1)) }
            asked.withLock { $0 = [] }
            return demand == (isTaken ? .none : .max(1))
        }
        #expect(returned && turn.withLock { $0 } == 100_001)
        #expect(arbiter.outstanding.current == .max(1))
    }
}
