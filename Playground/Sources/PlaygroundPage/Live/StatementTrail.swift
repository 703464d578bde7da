#if Serve
    import Dispatch
    import PlaygroundKit
    import SignalRepository

    /// The statements that were executed last; a text that is executed several times in a row is one entry.
    final class StatementTrail: Sendable {
        /// A statement, with the number of its executions, and their total time and rows.
        struct Entry: Equatable, Sendable {
            let sql: String
            var times = 1
            var microseconds: Int
            var rows: Int

            init(_ report: StatementReport) {
                let (seconds, attoseconds) = report.duration.components
                microseconds = Int(clamping: seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
                (sql, rows) = (report.sql, report.rows)
            }

            var json: String {
                JSONText.object([
                    ("sql", JSONText.string(sql)), ("times", String(times)), ("microseconds", String(microseconds)),
                    ("rows", String(rows)),
                ])
            }
        }

        static let kept = 20
        private let entries = CurrentValue<[Entry], Never>([])

        /// The log to which a repository reports its statements.
        var log: StatementLog {
            StatementLog { [entries] report in
                // Skips the check for commits of other programs, which the library makes four times a second.
                guard !report.sql.contains("data_version") else { return }
                let entry = Entry(report)
                entries.modify { list in
                    if let last = list.last, last.sql == entry.sql {
                        list[list.count - 1].times += 1
                        list[list.count - 1].microseconds += entry.microseconds
                        list[list.count - 1].rows += entry.rows
                    } else {
                        list.append(entry)
                        if list.count > Self.kept { list.removeFirst() }
                    }
                }
            }
        }

        /// The statements now, and then at most five times a second: an import executes thousands.
        var latest: Signal<[Entry], Never> {
            entries.signal.throttle(for: .milliseconds(200), on: DispatchQueue.global(), latest: true)
        }
    }
#endif
