import SignalsTesting

/// A number that the laws send as a value; live copies can be counted, to detect a copy that is retained too long.
public struct LawValue: Sendable, Hashable, Comparable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    /// The number; the laws send 1, 2, 3, ….
    public let number: Int
    private let grip: LiveToken?

    /// Creates a value that is not counted.
    public init(_ number: Int) {
        self.number = number
        grip = nil
    }

    /// Creates a value from a number literal.
    public init(integerLiteral number: Int) { self.init(number) }

    init(_ number: Int, countedBy count: LiveCount) {
        self.number = number
        grip = LiveToken(count)
    }

    /// The number.
    public var description: String { String(number) }

    /// Whether two values have the same number.
    public static func == (left: LawValue, right: LawValue) -> Bool { left.number == right.number }

    /// Orders values by their numbers.
    public static func < (left: LawValue, right: LawValue) -> Bool { left.number < right.number }

    /// Hashes the number.
    public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// The failure that the laws send.
public struct LawFailure: Error, Hashable {
    /// A number that distinguishes failures.
    public let code: Int

    /// Creates a failure.
    public init(_ code: Int = 0) { self.code = code }
}

/// The values and the end of an operator's upstream, from which a model derives the operator's values.
public struct LawInput: Sendable {
    /// How the upstream ended.
    public enum Ending: Sendable {
        /// The upstream has not ended.
        case open
        /// The upstream finished.
        case finished
        /// The upstream failed.
        case failed
    }

    /// The values, in order.
    public let values: [LawValue]
    /// How the upstream has ended so far.
    public let ending: Ending

    /// Creates an input.
    public init(_ values: [LawValue], _ ending: Ending) {
        self.values = values
        self.ending = ending
    }

    /// Whether the upstream finished.
    public var isFinished: Bool { ending == .finished }
}
