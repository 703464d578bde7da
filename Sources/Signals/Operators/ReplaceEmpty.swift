extension Signal {
    /// Returns a signal that delivers a replacement value if the upstream finishes without a value.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.empty().replaceEmpty(with: 7).sink { print($0) }  // 7
    /// ```
    ///
    /// - Delivery: the upstream's values or, if there are none, the replacement value when the sink requests it.
    /// - Failure: the upstream's.
    @inlinable
    public func replaceEmpty(with value: Value) -> Signal {
        .deferred {
            let isEmpty = Serial(true)
            return map {
                isEmpty.state = false
                return $0
            }.append(.deferred { isEmpty.state ? .just(value) : .empty() })
        }
    }
}
