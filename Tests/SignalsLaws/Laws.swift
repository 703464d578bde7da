import Signals
import SignalsTesting

/// The contract as code: checks a signal, an operator, a subject or a scheduler against the clauses, and returns the
/// breaches.
///
/// The checks assert nothing. They return data, so that they work with any test framework.
///
/// ```swift
/// let breaches = Laws.verifyOperator(expecting: { $0.values.map { $0.number * 2 } }) { upstream, _ in
///     upstream.map { $0.number * 2 }
/// }
/// print(breaches)  // []
/// ```
///
/// Checks of operators include random schedules. A breach found in such a schedule contains its seed. To reproduce the
/// breach, pass the seed as `seeds: 7...7`.
public enum Laws {
    /// The ways in which an operator may differ from a plain one.
    public struct Traits: OptionSet, Sendable {
        /// The bits.
        public let rawValue: Int

        /// Creates traits from their bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// It may request more or fewer values from its upstream than were requested from it, because it buffers or
        /// collects them.
        public static let changesDemand = Traits(rawValue: 1 << 0)
        /// It may leave values out when its sink has fallen behind.
        public static let dropsValues = Traits(rawValue: 1 << 1)
        /// It may end before its upstream does.
        public static let endsEarly = Traits(rawValue: 1 << 2)
        /// It does not fail when its upstream does.
        public static let recovers = Traits(rawValue: 1 << 3)
        /// It may attach its upstream again.
        public static let reattaches = Traits(rawValue: 1 << 4)
        /// It fails at once, and drops the buffered values.
        public static let failsFast = Traits(rawValue: 1 << 5)
        /// All its sinks share one upstream.
        public static let isShared = Traits(rawValue: 1 << 6)
        /// Its values depend on time.
        public static let isTimed = Traits(rawValue: 1 << 7)
        /// Its end must be requested like a value, because it arrives as a value.
        public static let endsOnDemand = Traits(rawValue: 1 << 8)
        /// It keeps its upstream for a time after its sink has detached.
        public static let lingers = Traits(rawValue: 1 << 9)
        /// Once its upstream has delivered a value, it keeps the upstream, even after all sinks have detached.
        public static let isKept = Traits(rawValue: 1 << 10)
    }

    /// Checks a subject against several laws.
    static func breaches<Subject>(of laws: [Law<Subject>], by subject: Subject) -> [Breach] {
        laws.flatMap { law in
            var findings = Findings()
            law.check(subject, &findings)
            return findings.conclude(law.name)
        }
    }
}

/// A named law for one kind of subject.
struct Law<Subject> {
    let name: String
    let check: (Subject, inout Findings) -> Void

    init(_ name: String, _ check: @escaping (Subject, inout Findings) -> Void) {
        self.name = name
        self.check = check
    }
}
