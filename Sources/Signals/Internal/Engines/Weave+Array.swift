extension Signal {
    /// Weaves any number of inputs of one type, all treated alike.
    @inlinable
    static func woven(
        _ inputs: [Signal], queueBound: Int?, stage: StaticString
    ) -> Signal<[Value], Failure> {
        if inputs.isEmpty { return .empty() }
        return Signal<[Value], Failure>(trusted: { next in
            let weave = Weave(next, stage: stage)
            let slots = inputs.map { _ in Weave<[Value], Failure>.Slot<Value>(queueBound: queueBound) }
            weave.start(
                slots,
                make: {
                    let values = slots.compactMap { $0.take() }
                    return values.count == slots.count ? values : nil
                },
                attach: Swift.zip(inputs, slots).map { input, slot in { weave.attach(input, to: slot) } })
        })
    }
}
