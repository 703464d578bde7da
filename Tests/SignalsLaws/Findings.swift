import Signals
import SignalsTesting

/// The findings of a law so far: its unmet expectations, and the breaches that its recorders have noticed.
struct Findings: Sendable {
    private var unmet: [Breach] = []
    private var recorders: [(breaches: @Sendable () -> [Breach], cancel: @Sendable () -> Void)] = []

    var breaches: [Breach] { unmet + recorders.flatMap { $0.breaches() } }

    /// Notes a breach of a clause unless the condition holds.
    mutating func expect(_ condition: Bool, _ clause: String, _ detail: @autoclosure () -> String) {
        if !condition { unmet.append(Breach(clause, detail())) }
    }

    /// Runs work on several threads at once, and expects them to return in time; returns whether they did.
    @discardableResult
    mutating func run(_ threads: Int, _ work: @escaping @Sendable (Int) -> Void) -> Bool {
        let returned = Crew.run(threads, work)
        expect(returned, "S44", "\(threads) threads did not return in time.")
        return returned
    }

    /// Adds the breaches that a recorder notices until the law is over, and returns the recorder.
    @discardableResult
    mutating func watch<Value, Failure: Error>(_ recorder: Recorder<Value, Failure>) -> Recorder<Value, Failure> {
        recorders.append(({ recorder.breaches }, { recorder.cancel() }))
        return recorder
    }

    /// Ends a law: cancels its recorders, and returns the findings, each with the name of the law.
    func conclude(_ law: String, seed: UInt64? = nil) -> [Breach] {
        for recorder in recorders { recorder.cancel() }
        return breaches.map { breach in
            var signed = breach
            signed.law = law
            signed.seed = breach.seed ?? seed
            return signed
        }
    }
}

extension Collection where Element: Equatable {
    /// Whether these elements occur in this order in another collection.
    func isSubsequence(of other: some Collection<Element>) -> Bool {
        var rest = other[...]
        for element in self {
            guard let index = rest.firstIndex(of: element) else { return false }
            rest = rest[rest.index(after: index)...]
        }
        return true
    }
}
