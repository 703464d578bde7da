import Dispatch

/// A statement that was executed, for a log: its text without values, and what it took.
public struct StatementReport: Sendable, Hashable {
    /// The text, with a question mark for each value.
    public let sql: String
    /// How long it took, from the first step to the last, to the millisecond.
    ///
    /// What a sink did meanwhile counts, where rows are read one by one.
    public let duration: Duration
    /// How many rows it returned.
    public let rows: Int
}

/// Reports the statements that take long, outside the queues of the database.
public struct StatementLog: Sendable {
    private typealias Report = @Sendable (StatementReport) -> Void

    private let queue: DispatchQueue
    private let reports: [(threshold: Duration, report: Report)]

    private init(_ reports: [(Duration, Report)], _ queue: DispatchQueue) {
        (self.reports, self.queue) = (reports, queue)
    }

    /// Creates a log of the statements that take `threshold` or longer; with zero, of all of them.
    ///
    /// ```swift
    /// var configuration = RepositoryConfiguration()
    /// configuration.statementLog = StatementLog(slowerThan: .milliseconds(100)) { report in
    ///     print(report.duration, report.rows, report.sql)
    /// }
    /// ```
    /// `report` is called in the order of the statements' ends, one at a time, on a queue of its own. Values are never
    /// part of a report; raw SQL is, as it is written.
    public init(slowerThan threshold: Duration = .zero, report: @escaping @Sendable (StatementReport) -> Void) {
        self.init([(threshold, report)], DispatchQueue(label: "SignalRepository.statements"))
    }

    /// Reports to another log too, which has a threshold of its own.
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
