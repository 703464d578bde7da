import Foundation
import SignalRepository
import SignalRepositoryPostgres

/// Changes of sales on a server, each committed by a separate connection and reported in one of several ways.
///
/// The measured time begins when the server acknowledges the commit or, with `beginsWithCommit`, when COMMIT is sent.
/// The latter allows a comparison with a bare reader, which may receive a commit before its acknowledgement.
struct ServerChanges {
    let items: Int
    /// How many changes are measured, after a first one that only warms up.
    var count = 200
    var beginsWithCommit = false
    /// How many repositories follow the sum, as programs on as many hosts would.
    var hosts = 1
    /// How many single sales each repository follows besides the sum.
    var followed = 0

    /// A form in which a bare reader of the server's commits receives each change.
    var heard: Form {
        form("pgoutput, bare", count, firstValues: 0) { parameters, listener in
            let feed = try RawFeed(parameters, of: "Sale", hear: listener.hear)
            return feed.close
        } isExpected: { number, _ in
            { $0 == number + 1 }
        }
    }

    /// A form in which the sum of every repository shows each change.
    func shown(_ name: String, _ source: LiveSource, _ made: Int) -> Form {
        form(name, made, firstValues: hosts) { parameters, listener in
            let sums = try (0..<hosts).map { _ in
                try ServerSum(parameters, source, following: followed, hear: listener.hear)
            }
            return { for sum in sums { sum.close() } }
        } isExpected: { _, expected in
            var missing = hosts
            return { sum in
                if sum == expected { missing -= 1 }
                return missing == 0
            }
        }
    }

    private func form(
        _ name: String, _ made: Int, firstValues: Int,
        _ follow: @escaping (_ parameters: String, Listener<Int>) throws -> () -> Void,
        isExpected: @escaping (_ number: Int, _ sum: Int) -> (Int) -> Bool
    ) -> Form {
        Form(name) { meter in
            try Server.withSchema { parameters in
                let server = try RawServer(parameters)
                try fill(server)
                let listener = Listener<Int>(first: firstValues)
                let stop = try follow(parameters, listener)
                defer { stop() }
                if firstValues > 0 { listener.wait() }
                var sum = Sale.first(items).reduce(0) { $0 + $1.amount }
                for number in 0...made {
                    let sale = LiveChanges<Sale, Int>.index(of: number, among: items) + 1
                    sum += 1
                    listener.expect(isExpected(number, sum))
                    try server.execute(#"BEGIN; UPDATE "Sale" SET "amount" = "amount" + 1 WHERE "id" = \#(sale)"#)
                    if beginsWithCommit, number > 0 {
                        try meter.time {
                            try server.execute("COMMIT")
                            listener.wait()
                        }
                    } else {
                        try server.execute("COMMIT")
                        if number == 0 { listener.wait() } else { meter.time { listener.wait() } }
                    }
                }
                // Scaled as if the form had made all changes.
                meter.scale(by: Double(count) / Double(made))
                return items
            }
        }
    }
}

extension ServerChanges {
    /// Creates the table with the library, and fills it with the sales of `Sale.first`, in one statement.
    func fill(_ server: RawServer) throws {
        // With `.replication`, the library adds no triggers that notify. They would slow down the writers of all forms.
        let repository = try PostgresRepository(server.parameters, entities: Sale.self, liveSource: .replication)
        try repository.close().wait()
        try server.execute(
            """
            INSERT INTO "Sale" ("id", "owner", "amount", "score", "title")
            SELECT i + 1, i % 10000 * \(Sale.ownerStep), i % 1000, (i + 1) * 48271 % 2147483647, 'Sale ' || i
            FROM generate_series(0::bigint, \(items - 1)) i
            """)
        try server.execute("ANALYZE")
    }

    /// Commits concurrently on `writers` connections, each of which makes `count` changes to its own sales.
    ///
    /// `flush` is how long the server waits before each flush, in microseconds.
    func write(_ parameters: String, _ writers: Int, flush: Int = 0) throws -> Int {
        // Safe because only one iteration uses each connection.
        nonisolated(unsafe) let servers = try (0..<writers).map { _ in try RawServer(parameters) }
        for server in servers { try server.execute("SET commit_delay = \(flush); SET commit_siblings = 0") }
        let (items, count) = (items, count)
        DispatchQueue.concurrentPerform(iterations: writers) { writer in
            for number in 0..<count {
                let sale = (number * writers + writer) % items + 1
                // A failed update is missing from the sum that `check` returns.
                try? servers[writer].execute(#"UPDATE "Sale" SET "amount" = "amount" + 1 WHERE "id" = \#(sale)"#)
            }
        }
        return writers * count
    }

    /// Returns the sum of all amounts, which shows whether every change was made.
    func check(_ server: RawServer, _ changes: Int) throws -> Int {
        try server.number(#"SELECT sum("amount")::bigint FROM "Sale""#)
    }
}

/// A live sum on a server.
struct ServerSum {
    let parameters: String
    private let repository: PostgresRepository
    private let tokens: [SignalToken]

    init(
        _ parameters: String, _ source: LiveSource, following followed: Int = 0,
        hear: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws {
        self.parameters = parameters
        repository = try PostgresRepository(parameters, entities: Sale.self, liveSource: source)
        let isThere = DispatchSemaphore(value: 0)
        let others = (0..<followed).map { [repository] number in
            repository.readSubscription(Sale.self, id: Int64(number + 1))
                .sink(onValue: { _ in isThere.signal() }, onCompletion: { _ in })
        }
        // The first reads are not part of the cost of a change.
        for _ in others { isThere.wait() }
        tokens = [repository.sumSubscription(of: \Sale.amount).sink(onValue: hear, onCompletion: { _ in })] + others
    }

    func close() {
        for token in tokens { token.cancel() }
        _ = try? repository.close().wait()
    }
}
