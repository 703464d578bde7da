#if Logging
    public import Logging
    public import Signals

    extension Signal {
        /// Logs when a sink attaches, and how the signal ends, with the number of values and the error.
        ///
        /// ```swift
        /// let results = totals.compactMap { $0.first.map(FilmTotals.init) }.log("totals", to: context.logger)
        /// ```
        /// A failure is logged at the level `.error`, and everything else at `level`. Values are counted but not
        /// logged, because they may be private.
        ///
        /// - Delivery: the same as the upstream's.
        public func log(_ label: String, to logger: Logger, level: Logger.Level = .debug) -> Signal {
            .deferred { [self] in
                let count = Lock(0)
                @Sendable func note(
                    _ message: Logger.Message, at level: Logger.Level, _ metadata: Logger.Metadata = [:]
                ) {
                    let values: Logger.Metadata = ["signal": "\(label)", "values": "\(count.withLock { $0 })"]
                    logger.log(level: level, message, metadata: values.merging(metadata) { $1 })
                }
                return handleEvents(
                    onUpstream: { logger.log(level: level, "attached", metadata: ["signal": "\(label)"]) },
                    onValue: { _ in count.withLock { $0 += 1 } },
                    onCompletion: { completion in
                        switch completion {
                        case .finished: note("finished", at: level)
                        case .failure(let error): note("failed", at: .error, ["error": "\(error)"])
                        }
                    },
                    onCancel: { note("cancelled", at: level) })
            }
        }
    }
#endif
