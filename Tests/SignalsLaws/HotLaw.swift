import Foundation
import Signals
import SignalsTesting

/// The laws for every signal whose sinks share a source, such as a subject's signal or the result of `share`.
struct HotLaw {
    let signal: Signal<LawValue, LawFailure>
    let replays: Int
    let send: @Sendable (LawValue) -> Void

    /// Five sinks stay, and the sixth detaches: the sixth sink is released at once, and the others continue.
    func oneOfSixLeaves(_ findings: inout Findings) {
        for leaving in [0, 3, 5] {
            let held = LiveCount()
            var stayed: [Recorder<LawValue, LawFailure>] = []
            var upstream: Upstream?
            for number in 0..<6 {
                if number == leaving {
                    upstream = attachHolding(held)
                } else {
                    stayed.append(findings.watch(signal.record()))
                }
            }
            send(1)
            upstream?.cancel()
            upstream = nil
            findings.expect(held.current == 0, "S34", "Sink \(leaving) of six has detached, but is retained.")
            send(2)
            for recorder in stayed {
                let numbers = recorder.values.map(\.number).filter { $0 > 0 }
                findings.expect(
                    numbers.suffix(2) == [1, 2], "S30", "After sink \(leaving) of six left, another got \(numbers).")
                recorder.cancel()
            }
        }
    }

    /// Attaches a sink that is counted for as long as it is retained, and returns its upstream.
    private func attachHolding(_ held: LiveCount) -> Upstream? {
        let grip = LiveToken(held)
        return signal.attachKeepingUpstream(demand: .unlimited, onValue: { withExtendedLifetime(grip) {} })
    }

    /// While a sink handles a value, another thread can send, request, attach and detach.
    func noLock(_ findings: inout Findings) {
        let waits = LiveCount()
        let begun = LiveCount()
        let recorder = signal.record { [signal, send] recorder, event in
            guard event.isValue, begun.current == 0 else { return }
            begun.add(1)
            let returned = Crew.run(1) { _ in
                recorder.request(.max(1))
                signal.record().cancel()
                send(2)
                recorder.cancel()
            }
            if !returned { waits.add(1) }
        }
        findings.watch(recorder)
        send(1)
        findings.expect(waits.current == 0, "S28", "A delivery blocked the calls of another thread.")
    }

    /// One thread sends endlessly, while another attaches and cancels without delivering anything to other sinks.
    func besideAFlood(_ findings: inout Findings) {
        let controlThread = Lock<ThreadIdentity?>(nil)
        let others = LiveCount()
        let recorder = signal.record { _, event in
            if event.isValue, controlThread.withLock({ $0 }) == ThreadIdentity.current { others.add(1) }
        }
        findings.watch(recorder)
        let most = LiveCount()
        let visits = LiveCount()
        let sent = LiveCount()
        let returned = Crew.run(2) { [signal, send, replays] thread in
            if thread == 1 { controlThread.withLock { $0 = ThreadIdentity.current } }
            // The flood sends a hundred values for each attach, so it neither ends before the first attach nor gets far
            // ahead. It gives up if an attach or a cancel does not return.
            var turns = 0
            while thread == 0 && visits.current < 500 && turns < 5_000_000 {
                turns += 1
                guard sent.current < 100 * (visits.current + 1) else {
                    sched_yield()
                    continue
                }
                sent.add(1)
                send(LawValue(sent.current))
            }
            while thread == 1 && sent.current == 0 { sched_yield() }
            while thread == 1 && visits.current < 500 {
                let here = ThreadIdentity.current
                let own = LiveCount()
                let guest = signal.record { _, event in
                    if event.isValue, ThreadIdentity.current == here { own.add(1) }
                }
                guest.cancel()
                if own.current > max(1, replays) { most.add(1) }
                visits.add(1)
            }
            if thread == 1 { controlThread.withLock { $0 = nil } }
        }
        findings.expect(returned, "S46", "During a flood of values, an attach or a cancel did not return in time.")
        guard returned else { return }
        findings.expect(
            others.current == 0, "S46",
            "During a flood, an attach or a cancel delivered \(others.current) values to other sinks.")
        findings.expect(
            most.current == 0, "S46", "During a flood, \(most.current) attaches delivered more than is replayed.")
        let count = sent.current
        _ = recorder.waits(for: "the last value") { $0.endsWithValue { $0.number == count } }
        let numbers = recorder.values.map(\.number).filter { $0 > 0 }
        findings.expect(numbers == Array(1..<count + 1), "S8", "It delivered \(numbers.count) of \(count) values.")
    }
}

extension Signal {
    /// Attaches a sink, and returns its upstream, which may be used even after the run.
    func attachKeepingUpstream(
        demand: Demand = .none, onValue: @escaping @Sendable () -> Void = {},
        onCompletion: @escaping @Sendable () -> Void = {}
    ) -> Upstream? {
        let kept = Lock<Upstream?>(nil)
        run(
            into: Sink(
                onUpstream: { upstream in
                    kept.withLock { $0 = upstream }
                    upstream.request(demand)
                },
                onValue: { _ in
                    onValue()
                    return .none
                },
                onCompletion: { _ in onCompletion() }))
        return kept.withLock { $0.take() }
    }
}
