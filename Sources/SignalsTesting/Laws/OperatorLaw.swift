/// One law for operators, with its name.
struct OperatorLaw<Output: Sendable & Equatable, Failure: Error> {
    typealias Trial = OperatorTrial<Output, Failure>

    let name: String
    let check: (OperatorUnderLaw<Output, Failure>, inout Findings) -> Void

    /// Every law that has no seed.
    static var all: [OperatorLaw] {
        [
            OperatorLaw(name: "nothing before demand", check: nothingBeforeDemand),
            OperatorLaw(name: "cold", check: cold),
            OperatorLaw(name: "every value", check: everyValue),
            OperatorLaw(name: "one at a time", check: oneAtATime),
            OperatorLaw(name: "end without demand", check: endWithoutDemand),
            OperatorLaw(name: "failure", check: failure),
            OperatorLaw(name: "accepted before the end", check: acceptedBeforeTheEnd),
            OperatorLaw(name: "requests add up", check: requestsAddUp),
            OperatorLaw(name: "request inside", check: requestInside),
            OperatorLaw(name: "cancel inside", check: cancelInside),
            OperatorLaw(name: "cancel at the upstream", check: cancelAtTheUpstream),
            OperatorLaw(name: "cancel overtakes", check: cancelOvertakes),
            OperatorLaw(name: "cancel twice", check: cancelTwice),
            OperatorLaw(name: "faulty source", check: faultySource),
            OperatorLaw(name: "send inside", check: sendInside),
            OperatorLaw(name: "releases", check: releases),
            OperatorLaw(name: "one teardown", check: oneTeardown),
            OperatorLaw(name: "no lock", check: noLock),
        ]
    }
}
