#if Metrics
    public import Metrics
    public import RepositoryCore

    extension StatementLog {
        /// Records how long statements take and how many rows they return.
        ///
        /// ```swift
        /// var configuration = RepositoryConfiguration()
        /// configuration.statementLog = .recording(as: "films", factory: metrics).and(.logging(to: logger))
        /// ```
        /// The timer `films.statement.duration` records the duration of each statement in nanoseconds, and so also
        /// counts the statements. The counter `films.statement.rows` counts the returned rows.
        public static func recording(
            as label: String = "repository", dimensions: [(String, String)] = [],
            factory: any MetricsFactory = MetricsSystem.factory
        ) -> StatementLog {
            let duration = Timer(label: "\(label).statement.duration", dimensions: dimensions, factory: factory)
            let rows = Counter(label: "\(label).statement.rows", dimensions: dimensions, factory: factory)
            return StatementLog { report in
                duration.record(duration: report.duration)
                rows.increment(by: report.rows)
            }
        }
    }
#endif
