public import Signals
public import SignalsTesting

extension Laws {
    /// Checks an operator against the contract, with scripts, random schedules, and random schedules on four threads.
    ///
    /// ```swift
    /// let breaches = Laws.verifyOperator(
    ///     expecting: { $0.isFinished ? [$0.values.count] : [] }, traits: .changesDemand
    /// ) {
    ///     upstream, _ in upstream.collect().map { $0.count }
    /// }
    /// print(breaches)  // []
    /// ```
    ///
    /// - Parameters:
    ///   - model: Returns all values that the operator delivers to a sink with unlimited demand, if its upstream has
    ///     delivered exactly this input.
    ///   - traits: How the operator differs from a plain operator.
    ///   - settling: How much virtual time passes between steps, so that a time-based operator delivers.
    ///   - seeds: The seeds of the random schedules, one seed for each schedule.
    ///   - make: Builds the operator on an upstream and, if it needs one, a scheduler.
    /// - Returns: The breaches of the contract, or an empty array.
    public static func verifyOperator<Output: Sendable & Equatable, Failure: Error>(
        expecting model: @escaping @Sendable (LawInput) -> [Output],
        traits: Traits = [], settling: Duration = .zero, seeds: ClosedRange<UInt64> = 1...20,
        _ make: @escaping @Sendable (Signal<LawValue, LawFailure>, VirtualScheduler) -> Signal<Output, Failure>
    ) -> [Breach] {
        let subject = OperatorUnderLaw(traits: traits, settling: settling, model: model, make: make)
        let scripted = breaches(of: OperatorLaw<Output, Failure>.all, by: subject)
        let random = OperatorLaw<Output, Failure>.random.flatMap { name, check in
            seeds.flatMap { seed in
                var findings = Findings()
                check(subject, seed, &findings)
                return findings.conclude(name, seed: seed)
            }
        }
        return scripted + random
    }
}

/// The laws for operators.
enum OperatorLaw<Output: Sendable & Equatable, Failure: Error> {
    typealias Subject = OperatorUnderLaw<Output, Failure>
    typealias Trial = OperatorTrial<Output, Failure>

    /// The laws that follow a script.
    static var all: [Law<Subject>] {
        [
            Law("nothing before demand", nothingBeforeDemand),
            Law("cold", cold),
            Law("every value", everyValue),
            Law("one at a time", oneAtATime),
            Law("end without demand", endWithoutDemand),
            Law("failure", failure),
            Law("accepted before the end", acceptedBeforeTheEnd),
            Law("requests add up", requestsAddUp),
            Law("request inside", requestInside),
            Law("cancel inside", cancelInside),
            Law("cancel at the upstream", cancelAtTheUpstream),
            Law("cancel overtakes", cancelOvertakes),
            Law("cancel twice", cancelTwice),
            Law("faulty source", faultySource),
            Law("send inside", sendInside),
            Law("releases", releases),
            Law("one teardown", oneTeardown),
            Law("no lock", noLock),
        ]
    }

    /// The laws that follow a random schedule, which is made from a seed.
    static var random: [(name: String, check: (Subject, UInt64, inout Findings) -> Void)] {
        [("random", oneThread), ("threads", threads)]
    }
}
