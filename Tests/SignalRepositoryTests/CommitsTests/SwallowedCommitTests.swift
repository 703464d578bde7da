import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("External commits during a transaction that fails", .timeLimit(.minutes(10))) struct SwallowedCommitTests {
    private static let insertion = "INSERT INTO Film VALUES (randomblob(16), 'by another', 0.0, 10000, NULL)"

    /// How our own transaction fails while another connection holds the lock.
    enum Failure: CaseIterable, Sendable {
        case busy, cancelled
    }

    @Test(
        "R14 An external commit is reported, even if our own transaction could not begin after it",
        arguments: Failure.allCases)
    func reported(failure: Failure) async throws {
        let folder = try TemporaryFolder()
        var configuration = RepositoryConfiguration()
        configuration.lockTimeout = failure == .busy ? .milliseconds(50) : .seconds(60)
        // The watch interval is too long to matter, so only the writer can notice the commit.
        configuration.watchInterval = .seconds(3600)
        let repository = try SQLiteRepository(.file(folder.file()), entities: Film.self, configuration: configuration)
        let counts = repository.countSubscription(Film.self).record()
        let changes = repository.changes().record()
        #expect(await counts.values(1) == [0])
        let other = try RawDatabase(folder.file())
        try other.run(Self.insertion)
        try other.run("BEGIN IMMEDIATE")
        switch failure {
        case .busy:
            await expectFailure({ if case .busy = $0 { true } else { false } }) {
                try await repository.create(Film.numbered(1)).value()
            }
        case .cancelled:
            let ours = repository.create(Film.numbered(1)).record()
            ours.cancel()
            // Work that follows on the writer's queue ends after it.
            let next = repository.create(Film.numbered(2)).record()
            next.cancel()
        }
        try other.run("ROLLBACK")
        try await repository.transaction { _ in }.value()
        await counts.values(until: { $0 == 1 })
        _ = await changes.values(1)
        #expect(changes.values.first?.extent == .unknown(.otherConnection))
        counts.cancel()
        changes.cancel()
        other.close()
        await closed(repository)
    }
}
