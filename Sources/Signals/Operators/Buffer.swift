extension Signal {
    /// Returns a signal that buffers up to `size` values that its sink has not requested yet.
    ///
    /// ```swift
    /// let newest = Signal<Int, Never>.sequence(1...10).buffer(size: 3, whenFull: .dropOldest)
    /// let token = newest.first().sink { print($0) }  // 1, since it asked before anything was dropped
    /// ```
    ///
    /// - Delivery: all buffered values, in order, as they are requested; then the end. With `.suspend`, `size` values
    ///   are requested from the upstream, and more once a quarter of these values have been delivered. With the other
    ///   strategies, demand on the upstream is unlimited.
    /// - Failure: the upstream's, or the failure in `.fail`, after the buffered values.
    @inlinable
    public func buffer(size: Int, whenFull strategy: BufferingStrategy<Failure>) -> Signal {
        precondition(size > 0, "buffer(size:whenFull:) needs a size of one or more.")
        if case .suspend = strategy { return prefetch(high: size, low: size - Swift.max(1, size / 4)) }
        return stored(.everything, stage: "buffer") { values, value in
            if values.count < size {
                values.append(value)
                return .kept
            }
            switch strategy {
            case .dropOldest:
                let oldest = values.popFirst()
                values.append(value)
                return oldest.map { .dropped($0) } ?? .kept
            case .fail(let failure): return .failed(failure)
            case .dropNewest, .suspend: return .dropped(value)
            }
        }
    }
}
