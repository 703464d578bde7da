extension Signal {
    /// Weaves two inputs, each with its own bound; nil keeps only the latest value.
    ///
    /// The compiler does not specialize parameter packs, and two inputs are the most common case.
    @inlinable
    static func woven<First: Sendable, Second: Sendable>(
        _ first: Signal<First, Failure>, bound: Int?, _ second: Signal<Second, Failure>, bound secondBound: Int?,
        startingWithSecond: Bool = false, stage: StaticString
    ) -> Signal where Value == (First, Second) {
        Signal(trusted: { next in
            let weave = Weave(next, stage: stage)
            let left = Weave<Value, Failure>.Slot<First>(queueBound: bound)
            let right = Weave<Value, Failure>.Slot<Second>(queueBound: secondBound)
            let attaches: [@Sendable () -> Void] = [
                { weave.attach(first, to: left) }, { weave.attach(second, to: right) },
            ]
            weave.start(
                [left, right],
                make: {
                    guard let value = left.take(), let other = right.take() else { return nil }
                    return (value, other)
                },
                attach: startingWithSecond ? attaches.reversed() : attaches)
        })
    }
}
