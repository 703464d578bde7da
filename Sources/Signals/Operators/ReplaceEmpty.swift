extension Signal {
    /// Returns a signal that delivers a value when the upstream finishes without one.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.empty().replaceEmpty(with: 7).sink { print($0) }  // 7
    /// ```
    ///
    /// - Delivery: as the upstream; or the one value, once it is requested.
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
