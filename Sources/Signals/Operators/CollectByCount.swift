extension Signal {
    /// Returns a signal of arrays of `count` values; the last array may be shorter.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...5).collect(2).sink { print($0) }  // [1, 2] [3, 4] [5]
    /// ```
    ///
    /// - Delivery: an array for each `count` values, on the thread that delivers the last of them. After the finish, an
    ///   array of the remaining values follows once it is requested. A request for one array requests `count` values
    ///   from the upstream.
    /// - Failure: the upstream's, at once; buffered values are dropped and reported to `DiscardHook`.
    public func collect(_ count: Int) -> Signal<[Value], Failure> {
        precondition(count > 0, "collect(_:) needs a count of one or more.")
        return grouped(size: count, absorbed: .none, stage: "collect") { group, value in
            group.append(value)
            if group.count < count { return nil }
            defer { group = [] }
            return group
        }
    }
}
