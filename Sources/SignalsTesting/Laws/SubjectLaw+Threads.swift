import Signals

extension SubjectLaw {
    /// Four threads send; every sink gets everything, all in the same order, which preserves that of each thread.
    static func threads(_ subject: Subject, _ findings: inout Findings) {
        for _ in 0..<10 where findings.breaches.isEmpty {
            let source = subject.make()
            let recorders = (0..<3).map { _ in source.signal.record() }
            let returned = Crew.run(4) { thread in
                for number in 1...200 { source.send(LawValue(thread * 1_000 + number)) }
            }
            findings.expect(returned, "S44", "Four threads did not come back in time.")
            let order = sent(recorders[0])
            findings.expect(order.count == 800, "S7", "Of 800 values from four threads it delivered \(order.count).")
            for recorder in recorders {
                findings.expect(sent(recorder) == order, "S40", "Two sinks got the values in different orders.")
                findings.add(recorder.breaches)
                recorder.cancel()
            }
            for thread in 0..<4 {
                let own = order.filter { $0 / 1_000 == thread }
                findings.expect(own == own.sorted(), "S8", "The values of one thread changed their order.")
            }
        }
    }

    /// One thread sends, another attaches: what a sink gets has no gaps and no duplicates.
    static func replayAndLive(_ subject: Subject, _ findings: inout Findings) {
        for _ in 0..<20 where findings.breaches.isEmpty {
            let source = subject.make()
            let recorders = Lock<[Recorder<LawValue, LawFailure>]>([])
            let sent = GripCount()
            let attached = GripCount()
            let returned = Crew.run(2) { thread in
                // Each goes on until it has met the other, within bounds.
                while thread == 0 && sent.current < 1_000 && (attached.current < 10 || sent.current < 50) {
                    sent.add(1)
                    source.send(LawValue(sent.current))
                }
                while thread == 1 && attached.current < 50 && (attached.current < 10 || sent.current < 50) {
                    let recorder = source.signal.record()
                    recorders.withLock { $0.append(recorder) }
                    attached.add(1)
                }
            }
            findings.expect(returned, "S44", "Two threads did not come back in time.")
            let last = sent.current + 1
            source.send(LawValue(last))
            for recorder in recorders.withLock({ $0 }) {
                // What another thread sent alongside an attach may arrive a moment later.
                _ = recorder.waits(for: "the last value") { $0.hasValue { $0.number == last } }
                let numbers = Self.sent(recorder)
                findings.expect(
                    numbers == Array((numbers.first ?? last)...last), "S39", "There is a gap or a double in \(numbers)."
                )
                findings.add(recorder.breaches)
                recorder.cancel()
            }
        }
    }

    static func cancelWhileSending(_ subject: Subject, _ findings: inout Findings) {
        for round in 0..<100 where findings.breaches.isEmpty {
            let source = subject.make()
            // The cancel comes from a third thread, from inside a value, or not at all.
            let recorder = source.signal.record(cancelAt: round % 4 == 1 ? round % 20 : nil)
            let returned = Crew.run(3) { thread in
                if thread == 0 && round % 4 > 1 { recorder.cancel() }
                for number in 1...20 where thread > 0 { source.send(LawValue(number)) }
                if thread == 1 { source.end(.finished) }
            }
            findings.expect(returned, "S44", "Three threads did not come back in time.")
            findings.add(recorder.breaches)
        }
    }

    static func releases(_ subject: Subject, _ findings: inout Findings) {
        for end in ["cancel", "finish", "failure"] {
            let source = subject.make()
            let count = GripCount()
            weak var sink: Recorder<LawValue, LawFailure>?
            do {
                let recorder = source.signal.record()
                sink = recorder
                source.send(LawValue(1, countedBy: count))
                source.send(2)
                switch end {
                case "cancel": recorder.cancel()
                case "finish": source.end(.finished)
                default: source.end(.failure(LawFailure()))
                }
            }
            findings.expect(sink == nil, "S34", "After \(end) it keeps its sink.")
            if subject.replays < 2 {
                findings.expect(count.current == 0, "S34", "After \(end) it keeps a value that another replaced.")
            }
        }
    }
}
