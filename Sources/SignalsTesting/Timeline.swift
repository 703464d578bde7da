public import Signals

/// A stream drawn as text, one character for each tick of a virtual clock.
///
/// `-` is a tick without an event, a letter or a digit is a value, `|` is the finish and `#` a failure. Events in
/// parentheses happen at one tick, in order. Spaces and trailing ticks without events are ignored.
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
        /// Creates the failure; all instances are equal.
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

    /// The events at each tick.
    private(set) var ticks: [[Mark]]

    init(ticks: [[Mark]]) {
        self.ticks = ticks
        while self.ticks.last?.isEmpty == true { self.ticks.removeLast() }
    }

    /// Parses a timeline; a nested or unclosed parenthesis, or an event after the end, is a programming error.
    public init(_ text: String) {
        var ticks: [[Mark]] = []
        var group: [Mark]?
        for character in text where character != " " {
            precondition(
                !ticks.joined().contains { $0 == .finish || $0 == .failure } || character == "-",
                "A timeline has an event after its end.")
            switch character {
            case "(":
                precondition(group == nil, "A timeline has a parenthesis inside parentheses.")
                group = []
            case ")":
                ticks.append(group ?? [])
                group = nil
            case "-": ticks.append([])
            default: if group != nil { group?.append(Mark(character)) } else { ticks.append([Mark(character)]) }
            }
        }
        precondition(group == nil, "A timeline has a parenthesis that is not closed.")
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

extension Timeline {
    /// Returns a signal that plays the timeline from its beginning when a sink attaches.
    ///
    /// ```swift
    /// let scheduler = VirtualScheduler()
    /// let recorder = Timeline("ab-|").signal(on: scheduler).record()
    /// scheduler.run()
    /// print(recorder.values)  // ["a", "b"]
    /// ```
    ///
    /// - Delivery: on the thread that advances the scheduler's time. Values wait until the sink requests them.
    /// - Failure: `Timeline.Failure`, where the timeline has `#`.
    public func signal(
        on scheduler: VirtualScheduler, tick: Duration = .seconds(1)
    ) -> Signal<Character, Failure> {
        signal(on: scheduler, tick: tick, failure: Failure()) { $0 }
    }

    /// Returns a signal that plays the timeline with the caller's choice of values and failure.
    ///
    /// - Delivery: on the thread that advances the scheduler's time. Values wait until the sink requests them.
    /// - Failure: `failure`, where the timeline has `#`.
    public func signal<Value: Sendable, Other: Error>(
        on scheduler: VirtualScheduler, tick: Duration = .seconds(1), failure: Other,
        _ value: @escaping @Sendable (Character) -> Value
    ) -> Signal<Value, Other> {
        let ticks = ticks
        return .create { emitter in
            let tokens = ticks.enumerated().filter { !$0.element.isEmpty }.map { index, marks in
                scheduler.schedule(after: tick * index) {
                    for mark in marks {
                        switch mark {
                        case .value(let name): emitter.send(value(name))
                        case .finish: emitter.finish()
                        case .failure: emitter.fail(failure)
                        }
                    }
                }
            }
            return { for token in tokens { token.cancel() } }
        }
    }
}

extension Recorder {
    /// Returns the recording as a timeline that begins when the upstream arrived; the recorder needs a `clock`.
    ///
    /// If an event arrived between two ticks, the timeline shows it at the earlier tick.
    ///
    /// - Complexity: O(n) in the number of ticks.
    public func timeline(tick: Duration = .seconds(1), naming name: (Value) -> Character) -> Timeline {
        let log = state.withLock { $0.log }
        var ticks: [[Timeline.Mark]] = []
        for (event, time) in log {
            let index = Int(((time - log[0].time) / tick).rounded(.down))
            while ticks.count <= index { ticks.append([]) }
            switch event {
            case .upstream: break
            case .value(let value): ticks[index].append(.value(name(value)))
            case .finished: ticks[index].append(.finish)
            case .failure: ticks[index].append(.failure)
            }
        }
        return Timeline(ticks: ticks)
    }
}

extension Recorder where Value == Character {
    /// Returns the recording as a timeline that begins when the upstream arrived; the recorder needs a `clock`.
    ///
    /// - Complexity: O(n) in the number of ticks.
    public func timeline(tick: Duration = .seconds(1)) -> Timeline { timeline(tick: tick) { $0 } }
}
