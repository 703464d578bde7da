/// A stream drawn as text, one character for each tick of a virtual clock.
///
/// `-` is a tick without an event, a letter or a digit is a value, `|` is the finish and `#` a failure. Events in
/// parentheses happen at one tick, in order. Spaces are ignored, and so are trailing ticks without events.
///
/// ```swift
/// let scheduler = VirtualScheduler()
/// let input: Timeline = "a-bc-|"
/// let recorder = input.signal(on: scheduler).prefix(2).record(clock: scheduler)
/// scheduler.run()
/// print(recorder.timeline())  // a-(b|)
/// ```
public struct Timeline: Sendable, Hashable {
    /// The failure that `#` represents.
    public struct Failure: Error, Hashable {
        /// Creates the failure; all are equal.
        public init() {}
    }

    /// One event of a timeline.
    enum Mark: Sendable, Hashable {
        case value(Character)
        case finish
        case failure

        init(_ character: Character) {
            switch character {
            case "|": self = .finish
            case "#": self = .failure
            default: self = .value(character)
            }
        }

        var character: Character {
            switch self {
            case .value(let name): name
            case .finish: "|"
            case .failure: "#"
            }
        }
    }

    /// What happens at each tick.
    private(set) var ticks: [[Mark]]

    init(ticks: [[Mark]]) {
        self.ticks = ticks
        while self.ticks.last?.isEmpty == true { self.ticks.removeLast() }
    }

    /// Parses a timeline; an open parenthesis, or an event after the end, is a programming error.
    public init(_ text: String) {
        var ticks: [[Mark]] = []
        var group: [Mark]?
        for character in text where character != " " {
            precondition(
                !ticks.joined().contains { $0 == .finish || $0 == .failure } || character == "-",
                "Nothing follows the end of a timeline.")
            switch character {
            case "(":
                precondition(group == nil, "A group of a timeline stands in no other group.")
                group = []
            case ")":
                ticks.append(group ?? [])
                group = nil
            case "-": ticks.append([])
            default: if group != nil { group?.append(Mark(character)) } else { ticks.append([Mark(character)]) }
            }
        }
        precondition(group == nil, "A group of a timeline is closed by a parenthesis.")
        self.init(ticks: ticks)
    }
}

extension Timeline: ExpressibleByStringLiteral {
    /// Parses a timeline from a literal.
    public init(stringLiteral text: String) { self.init(text) }
}

extension Timeline: CustomStringConvertible {
    /// The timeline as text.
    public var description: String {
        ticks.map { marks in
            let text = String(marks.map(\.character))
            return marks.isEmpty ? "-" : marks.count == 1 ? text : "(\(text))"
        }.joined()
    }
}
