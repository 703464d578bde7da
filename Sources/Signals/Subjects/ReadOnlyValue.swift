/// A changing value that can be read and observed but not set: a `CurrentValue`, or a value derived from it.
///
/// ```swift
/// final class Player: Sendable {
///     private let seconds = CurrentValue<Int, Never>(0)
///     var position: ReadOnlyValue<Int, Never> { seconds.readOnly }
///     var minutes: ReadOnlyValue<Int, Never> { seconds.readOnly.map { $0 / 60 } }
///     func seek(to second: Int) { seconds.value = second }
/// }
/// let player = Player()
/// let token = player.minutes.signal.removeDuplicates().sink { print($0) }  // 0
/// player.seek(to: 90)  // 1
/// print(player.position.value)  // 90
/// ```
public struct ReadOnlyValue<Value: Sendable, Failure: Error>: Sendable {
    /// The signal of the latest value and all later ones.
    public let signal: Signal<Value, Failure>
    let read: @Sendable () -> Value

    /// The latest value.
    public var value: Value { read() }

    /// Returns a read-only value transformed by a function, which runs for each read, and for each value of each sink.
    ///
    /// ```swift
    /// let film = CurrentValue<String, Never>("Fargo")
    /// let length = film.readOnly.map { $0.count }
    /// print(length.value)  // 5
    /// ```
    ///
    /// - Delivery: the same as for the signal of the `CurrentValue`. `map` does not remove equal values.
    public func map<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Output
    ) -> ReadOnlyValue<Output, Failure> {
        ReadOnlyValue<Output, Failure>(signal: signal.map(transform)) { [read] in transform(read()) }
    }
}

extension CurrentValue {
    /// A view of this value for code that may read and observe the value, but not set it.
    public var readOnly: ReadOnlyValue<Value, Failure> { ReadOnlyValue(signal: signal) { self.value } }
}
