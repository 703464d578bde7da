import Dispatch

/// A report on an executed statement: its text without values, its duration, and its number of rows.
public struct StatementReport: Sendable, Hashable {
    /// The text, with a question mark for each value.
    public let sql: String
    /// The time from the first step of the statement to its last, to the millisecond.
    ///
    /// If a sink requests rows one by one, the duration includes the time that the sink takes.
    public let duration: Duration
    /// The number of rows that the statement returned.
    public let rows: Int
}

/// A log that reports slow statements, outside the queues of the database.
public struct StatementLog: Sendable {
    private typealias Report = @Sendable (StatementReport) -> Void

    private let queue: DispatchQueue
    private let reports: [(threshold: Duration, report: Report)]

    private init(_ reports: [(Duration, Report)], _ queue: DispatchQueue) {
        (self.reports, self.queue) = (reports, queue)
    }

    /// Creates a log of the statements that take `threshold` or longer; zero logs all of them.
    ///
    /// ```swift
    /// var configuration = RepositoryConfiguration()
    /// configuration.statementLog = StatementLog(slowerThan: .milliseconds(100)) { report in
    ///     print(report.duration, report.rows, report.sql)
    /// }
    /// ```
    /// `report` is called for one statement at a time, in the order in which the statements end, on a separate queue. A
    /// report never contains values, but raw SQL appears as it is written.
    public init(slowerThan threshold: Duration = .zero, report: @escaping @Sendable (StatementReport) -> Void) {
        self.init([(threshold, report)], DispatchQueue(label: "SignalRepository.statements"))
    }

    /// Returns a log that also reports to another log, with that log's threshold.
    public func and(_ other: StatementLog) -> StatementLog {
        StatementLog(reports + other.reports, queue)
    }

    package func add(_ sql: String, nanoseconds: Int64, rows: Int) {
        let duration = Duration.nanoseconds(nanoseconds)
        for (threshold, report) in reports where duration >= threshold {
            queue.async { report(StatementReport(sql: sql, duration: duration, rows: rows)) }
        }
    }
}
