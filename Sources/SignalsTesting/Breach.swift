/// One violation of a clause of the contract, as a value that tests can compare.
///
/// ```swift
/// let breach = Breach("S10", "It ended twice.")
/// print(breach)  // S10: It ended twice.
/// ```
public struct Breach: Sendable, Hashable, CustomStringConvertible {
    /// The clause of the contract, such as `S10`.
    public let clause: String
    /// A sentence that describes the violation.
    public let detail: String
    /// The name of the law (a check in `SignalsLaws`) that found the breach; empty if only a `Recorder` found it.
    public package(set) var law = ""
    /// The seed that reproduces the random schedule in which the breach occurred; nil if the schedule was not random.
    public package(set) var seed: UInt64?

    /// Creates a breach of a clause.
    public init(_ clause: String, _ detail: String) {
        self.clause = clause
        self.detail = detail
    }

    /// The clause and the detail, followed by the law and the seed, if there are any.
    public var description: String {
        let origin = law.isEmpty ? "" : " (\(law)\(seed.map { ", seed \($0)" } ?? ""))"
        return "\(clause): \(detail)\(origin)"
    }
}
