extension Signal where Value == Void {
    /// Returns a signal that delivers one value when a time has passed, and finishes.
    ///
    /// ```swift
    /// let tooLate = Signal<Void, Never>.timer(.seconds(3), on: DispatchQueue.main)
    /// let token = Signal<Int, Never>.never().prefix(until: tooLate)
    ///     .sink(onValue: { _ in }, onCompletion: { print($0) })  // finished, after three seconds
    /// ```
    ///
    /// `interval` delivers repeatedly, and `delay` delays the values of another signal.
    ///
    /// - Delivery: on the scheduler, when `time` has passed since the attach. If the sink requests the value later, it
    ///   receives the value at once.
    public static func timer(_ time: Duration, on scheduler: some SignalScheduler) -> Signal {
        create { emitter in
            let timer = scheduler.schedule(after: time) {
                emitter.send(())
                emitter.finish()
            }
            return { timer.cancel() }
        }
    }
}
