public import Signals

extension Timeline {
    /// Returns a signal that behaves as the timeline says, from the moment it is attached.
    ///
    /// ```swift
    /// let scheduler = VirtualScheduler()
    /// let recorder = Timeline("ab-|").signal(on: scheduler).record()
    /// scheduler.run()
    /// print(recorder.values)  // ["a", "b"]
    /// ```
    ///
    /// - Delivery: on the thread that advances the scheduler's time. Values without demand wait.
    /// - Failure: `Timeline.Failure`, where the timeline has `#`.
    public func signal(
        on scheduler: VirtualScheduler, tick: Duration = .seconds(1)
    ) -> Signal<Character, Failure> {
        signal(on: scheduler, tick: tick, failure: Failure()) { $0 }
    }

    /// Returns a signal that behaves as the timeline says, with values and a failure of the caller's choice.
    ///
    /// - Delivery: on the thread that advances the scheduler's time. Values without demand wait.
    /// - Failure: `failure`, where the timeline has `#`.
    public func signal<Value: Sendable, Other: Error>(
        on scheduler: VirtualScheduler, tick: Duration = .seconds(1), failure: Other,
        _ value: @escaping @Sendable (Character) -> Value
    ) -> Signal<Value, Other> {
        let ticks = ticks
        return .create(whenBehind: .oldest(.max)) { emitter in
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
    /// An event between two ticks is drawn at the earlier one.
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
