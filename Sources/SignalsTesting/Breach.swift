/// One violation of the contract, as data.
///
/// ```swift
/// let breach = Breach("S10", "It ended twice.")
/// print(breach)  // S10: It ended twice.
/// ```
public struct Breach: Sendable, Hashable, CustomStringConvertible {
    /// The clause of the contract, such as `S10`.
    public let clause: String
    /// A sentence about what was observed.
    public let detail: String
    /// The law that found it; empty if a `Recorder` found it by itself.
    public package(set) var law = ""
    /// The seed that reproduces a random schedule.
    public package(set) var seed: UInt64?

    /// Creates a breach of a clause.
    public init(_ clause: String, _ detail: String) {
        self.clause = clause
        self.detail = detail
    }

    /// The clause, what was observed, by which law and with which seed.
    public var description: String {
        let origin = law.isEmpty ? "" : " (\(law)\(seed.map { ", seed \($0)" } ?? ""))"
        return "\(clause): \(detail)\(origin)"
    }
}
