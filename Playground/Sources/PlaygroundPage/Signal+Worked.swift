#if Serve
    import Dispatch
    import PlaygroundKit
    import Signals

    extension Signal where Failure == PlaygroundError {
        /// Delivers what a closure returns that may take long, on a thread of its own: those of tasks are few.
        static func worked(_ work: @escaping @Sendable () throws(PlaygroundError) -> Value) -> Signal {
            Signal.deferred { .result(Result { () throws(PlaygroundError) in try work() }) }
                .subscribe(on: DispatchQueue.global())
        }
    }
#endif
