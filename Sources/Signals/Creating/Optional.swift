extension Signal {
    /// Returns a signal of an optional's value, if there is one, which then finishes.
    ///
    /// ```swift
    /// let token = Signal<String, Never>.sequence(["1", "x", "3"])
    ///     .flatMap { .optional(Int($0)) }
    ///     .sink { print($0) }  // 1 3
    /// ```
    ///
    /// - Delivery: the value, on the requesting thread; without one it finishes during attach.
    @inlinable
    public static func optional(_ value: Value?) -> Signal { value.map { .just($0) } ?? .empty() }
}
