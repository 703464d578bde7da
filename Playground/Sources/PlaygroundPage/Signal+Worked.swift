#if Serve
    import Dispatch
    import PlaygroundKit
    import Signals

    extension Signal where Failure == PlaygroundError {
        /// Runs a closure that may block for long on a global queue, because tasks share few threads.
        static func worked(_ work: @escaping @Sendable () throws(PlaygroundError) -> Value) -> Signal {
            Signal.deferred { .result(Result { () throws(PlaygroundError) in try work() }) }
                .subscribe(on: DispatchQueue.global())
        }
    }
#endif
