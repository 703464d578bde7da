import Observation
public import Signals

extension Signal where Failure == Never {
    /// Returns a signal of the result of a closure, which runs again when the `@Observable` objects it reads change.
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
    /// Properties are tracked as in a view: each property that the last call of the closure read. They should belong to
    /// the main actor, so that none can change between one read and the next.
    ///
    /// - Delivery: on the main actor, the current value, and one after each turn in which a tracked property has
    ///   changed; never before the attach has returned. A sink without demand gets the latest when it requests. It
    ///   never ends.
    public static func observing(_ read: @escaping @MainActor () -> Value) -> Signal {
        create(bufferSize: 1, whenFull: .dropOldest) { emitter in
            let reading = ObservedReading(read, emitter)
            Task { @MainActor in reading.next() }
            // The run retains the closure; the observed objects do not, since the closure may refer to them.
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
            // Called before the change: the new value can be read in a later turn of the main actor.
            Task { @MainActor in self?.next() }
        }
        emitter.send(value)
    }
}
