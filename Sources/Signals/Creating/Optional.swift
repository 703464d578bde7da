extension Signal {
    /// Returns a signal that delivers an optional's value, if it has one, and finishes.
    ///
    /// ```swift
    /// let token = Signal<String, Never>.sequence(["1", "x", "3"])
    ///     .flatMap { .optional(Int($0)) }
    ///     .sink { print($0) }  // 1 3
    /// ```
    ///
    /// - Delivery: the value, on the requesting thread. Without a value, the signal finishes during attach.
    @inlinable
    public static func optional(_ value: Value?) -> Signal { value.map { .just($0) } ?? .empty() }
}
