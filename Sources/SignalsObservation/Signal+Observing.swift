import Observation
public import Signals

extension Signal where Failure == Never {
    /// Returns a signal of what a closure reads from `@Observable` objects, read again when they change.
    ///
    /// ```swift
    /// import Observation
    /// import SignalsObservation
    ///
    /// @Observable @MainActor final class Search { var text = "" }
    /// extension Search {
    ///     func words() -> Signal<String, Never> { .observing { self.text }.removeDuplicates() }
    /// }
    /// ```
    ///
    /// What the closure reads is tracked as a view tracks it: each property read by the last call. It should belong to
    /// the main actor, so that no change can fall between one read and the next.
    ///
    /// - Delivery: on the main actor, the current value, and one after each turn in which what was read has changed;
    ///   never before attaching has returned. A sink without demand gets the latest when it requests. It never ends.
    public static func observing(_ read: @escaping @MainActor () -> Value) -> Signal {
        create(bufferSize: 1, whenFull: .dropOldest) { emitter in
            let reading = ObservedReading(read, emitter)
            Task { @MainActor in reading.next() }
            // The run retains the closure, and what is observed does not: the closure may refer to it.
            return { withExtendedLifetime(reading) {} }
        }
    }
}

/// One run of `observing`.
private final class ObservedReading<Value: Sendable>: Sendable {
    private let read: @MainActor () -> Value
    private let emitter: Emitter<Value, Never>

    init(_ read: @escaping @MainActor () -> Value, _ emitter: Emitter<Value, Never>) {
        self.read = read
        self.emitter = emitter
    }

    /// Reads and delivers; the first change makes it read again, in a later turn.
    @MainActor
    func next() {
        if emitter.isCancelled { return }
        let value = withObservationTracking(read) { [weak self] in
            // The change is about to happen: the new value can be read when the main actor is done with it.
            Task { @MainActor in self?.next() }
        }
        emitter.send(value)
    }
}
