import Observation
public import Signals

extension Signal where Failure == Never {
    /// Returns a signal of the results of a closure, which runs again when an `@Observable` property that it read
    /// changes.
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
    /// As in a SwiftUI view, the signal tracks each property that the last call of the closure read. These properties
    /// should belong to the main actor, so that none of them can change between one read and the next.
    ///
    /// - Delivery: on the main actor, the current value, then one value after each turn of the main actor in which a
    ///   tracked property has changed. If a sink attaches on the main actor, the attach returns before the first value.
    ///   A sink without demand receives the latest value when it requests one. The signal never ends.
    public static func observing(_ read: @escaping @MainActor () -> Value) -> Signal {
        create(bufferSize: 1, whenFull: .dropOldest) { emitter in
            let reading = ObservedReading(read, emitter)
            Task { @MainActor in reading.next() }
            // The run retains `reading`, and with it the closure. The observed objects must not retain `reading`,
            // because the closure may retain them, and then neither would ever be released.
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

    /// Reads the value and delivers it.
    ///
    /// The first change of a property that was read makes this function run again, in a later turn of the main actor.
    @MainActor
    func next() {
        if emitter.isCancelled { return }
        let value = withObservationTracking(read) { [weak self] in
            // This closure runs before the change. In a later turn of the main actor, the new value can be read.
            Task { @MainActor in self?.next() }
        }
        emitter.send(value)
    }
}
