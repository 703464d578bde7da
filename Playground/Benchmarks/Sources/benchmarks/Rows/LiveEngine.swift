import SignalRepository

extension Catalogue {
    /// The cost that a live sum adds to a commit of many changed rows, per row.
    ///
    /// No public API runs the engine alone. So the figure is the difference of two stores that take turns with the
    /// same commits, one with a live sum and one without. It includes the capture of the rows.
    static var liveEngine: Row {
        let (commits, rows) = (50, 1_000)
        return Row(
            id: "live.engine", work: "the cost of a live sum in a commit of 1,000 changed sales, per change",
            operations: commits * rows, bars: [.perOperation(1e-6)],
            ours: Form("SignalRepository") { meter in
                var (with, without) = (Meter(clock: meter.clock), Meter(clock: meter.clock))
                let sum = try withSales { followed in
                    try withSales { quiet in
                        try measure(followed, quiet, commits: commits, rows: rows, &with, &without)
                    }
                }
                meter.add(with.amount - without.amount)
                return sum
            })
    }

    private static func withSales<Result>(_ body: (SQLiteRepository) throws -> Result) throws -> Result {
        try TemporaryFolder.withFile { path in
            try LiveTables.create(path)
            try Sale.fill(path, 10_000)
            return try body(SQLiteRepository(live: path))
        }
    }

    private static func measure(
        _ followed: SQLiteRepository, _ quiet: SQLiteRepository, commits: Int, rows: Int, _ with: inout Meter,
        _ without: inout Meter
    ) throws -> Int {
        let listener = Listener<Int>(first: 1)
        let token = followed.sumSubscription(of: \Sale.score).sink(onValue: listener.hear, onCompletion: { _ in })
        defer { token.cancel() }
        listener.wait()
        var sum = Sale.first(10_000).reduce(0) { $0 + $1.score }
        var scores = Sale.first(rows).map(\.score)
        Load.settle()
        var warmUp = Meter(clock: with.clock)
        for commit in 0...commits {
            let score = commit
            sum += rows * score - scores.reduce(0, +)
            scores = scores.map { _ in score }
            let expected = sum
            listener.expect { $0 == expected }
            let write = { (repository: SQLiteRepository) in
                _ = try repository.update(
                    Sale.self, set: [.set(\.score, to: score)]
                ) { $0.id <= Int64(rows) }.wait()
            }
            let heard = {
                try write(followed)
                listener.wait()
            }
            if commit == 0 { try warmUp.time(heard) } else { try with.time(heard) }
            if commit == 0 { try write(quiet) } else { try without.time { try write(quiet) } }
        }
        return sum
    }
}
