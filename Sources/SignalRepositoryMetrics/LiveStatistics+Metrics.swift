#if Metrics
    public import Metrics
    public import RepositoryCore

    extension LiveStatistics {
        /// Records the statistics as gauges.
        ///
        /// ```swift
        /// repository.statistics.record(as: "films", factory: metrics)
        /// ```
        /// `films.live.subscriptions` and `films.live.queries` show how many are active now. `films.live.firstReads`,
        /// `.matched`, `.updatedInPlace`, `.rereadByKey`, `.refilled` and `.reread` count events since the repository
        /// was opened; see `LiveStatistics`. Call this method as often as metrics are collected.
        public func record(
            as label: String = "repository", dimensions: [(String, String)] = [],
            factory: any MetricsFactory = MetricsSystem.factory
        ) {
            let values = [
                ("subscriptions", subscriptions), ("queries", queries), ("firstReads", firstReads),
                ("matched", matched), ("updatedInPlace", updatedInPlace), ("rereadByKey", rereadByKey),
                ("refilled", refilled), ("reread", reread),
            ]
            for (name, value) in values {
                Gauge(label: "\(label).live.\(name)", dimensions: dimensions, factory: factory).record(value)
            }
        }
    }
#endif
