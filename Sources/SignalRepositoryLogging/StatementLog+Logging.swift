#if Logging
    public import Logging
    public import RepositoryCore

    extension StatementLog {
        /// Logs the statements that take `threshold` or longer; if the threshold is zero, logs all statements.
        ///
        /// ```swift
        /// var configuration = RepositoryConfiguration()
        /// configuration.statementLog = .logging(
        ///     to: Logger(label: "films"), level: .notice, slowerThan: .milliseconds(100))
        /// ```
        /// The message is "statement". Its metadata are `sql`, the statement's text without bound values;
        /// `milliseconds`, the duration; and `rows`, the number of rows returned.
        public static func logging(
            to logger: Logger, level: Logger.Level = .debug, slowerThan threshold: Duration = .zero
        ) -> StatementLog {
            StatementLog(slowerThan: threshold) { report in
                logger.log(
                    level: level, "statement",
                    metadata: [
                        "sql": "\(report.sql)", "milliseconds": "\(report.duration.milliseconds)",
                        "rows": "\(report.rows)",
                    ])
            }
        }
    }
#endif

#if canImport(os)
    public import RepositoryCore
    public import os

    extension StatementLog {
        /// Logs the statements that take `threshold` or longer, to the system's `os.Logger`.
        ///
        /// Not available on Linux, which has no `os.Logger`.
        public static func logging(
            to logger: os.Logger, level: OSLogType = .debug, slowerThan threshold: Duration = .zero
        ) -> StatementLog {
            StatementLog(slowerThan: threshold) { report in
                logger.log(
                    level: level,
                    "\(report.sql, privacy: .public): \(report.duration.milliseconds) ms, \(report.rows) rows")
            }
        }
    }
#endif
