import SignalRepository
import Signals
import SignalsTesting
import Testing

private struct Yes: Entity, Equatable {
    let id: Int
    var answer: Bool
    static let entityName = "Answer"
    static let schema = Schema(
        Column("id", \Yes.id), Column("answer", \.answer, encode: { $0 ? "y" : "n" }, decode: { $0 == "y" }),
        make: Yes.init)
}

private struct No: Entity, Equatable {
    let id: Int
    var answer: Bool
    static let entityName = "Answer"
    static let schema = Schema(
        Column("id", \No.id), Column("answer", \.answer, encode: { $0 ? "n" : "y" }, decode: { $0 == "n" }),
        make: No.init)
}

@Suite("Equal live queries", .timeLimit(.minutes(5))) struct SharingTests {
    @Test("R17 They are followed once, and each sink gets its own values", arguments: StoreKind.allCases)
    func shared(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.insert((1...5).map { Film.numbered($0) }).value()
            let sum = { repository.sumSubscription(of: \Film.boxOffice) { $0.boxOffice > 1 } }
            let first = (0..<10).map { _ in sum().record() }
            for recorder in first { #expect(await recorder.values(1) == [14]) }
            #expect(repository.statistics.firstReads == 1)
            #expect(repository.statistics.queries == 1)
            #expect(repository.statistics.subscriptions == 10)
            try await repository.create(Film.numbered(6)).value()
            for recorder in first { #expect(await recorder.values(2) == [14, 20]) }
            #expect(repository.statistics.updatedInPlace == 1)
            // A later sink begins with the current value, and the others do not notice.
            let late = sum().record()
            #expect(await late.values(1) == [20])
            #expect(repository.statistics.firstReads == 1)
            for recorder in first { recorder.cancel() }
            try await repository.create(Film.numbered(7)).value()
            #expect(await late.values(2) == [20, 27])
            #expect(first.allSatisfy { $0.values == [14, 20] })
            late.cancel()
        }
    }

    @Test("R17 Queries with another value, condition, order or output are not equal", arguments: StoreKind.allCases)
    func different(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.insert((1...5).map { Film.numbered($0, title: "\u{E9}") }).value()
            let counts = ["\u{E9}", "e\u{301}"].map { title in
                repository.countSubscription(Film.self) { $0.title == title }
            }
            .map { $0.record() }
            #expect(await counts[0].values(1) == [5])
            #expect(await counts[1].values(1) == [0])
            let up = repository.listSubscription(Film.all.sorted(by: \.boxOffice)).record()
            let down = repository.listSubscription(Film.all.sorted(by: \.boxOffice, .descending)).record()
            let array = repository.fetchSubscription(Film.all.sorted(by: \.boxOffice)).record()
            let page = repository.fetchSubscription(Film.all.sorted(by: \.boxOffice).limit(4)).record()
            #expect(await up.values(1).first?.items.first == .numbered(1, title: "\u{E9}"))
            #expect(await down.values(1).first?.items.first == .numbered(5, title: "\u{E9}"))
            #expect(await array.values(1).first?.count == 5)
            #expect(await page.values(1).first?.count == 4)
            #expect(repository.statistics.queries == 6)
            for recorder in counts { recorder.cancel() }
            for recorder in [up, down] { recorder.cancel() }
            for recorder in [array, page] { recorder.cancel() }
        }
    }

    @Test("R17 Queries of two entities of one table, which decode a column differently, are not equal")
    func decodings() async throws {
        let repository = try SQLiteRepository(.inMemory, entities: Yes.self, No.self)
        try await repository.create(Yes(id: 1, answer: true)).value()
        let yes = repository.fetchSubscription(Yes.all.select { $0.answer }).record()
        #expect(await yes.values(1) == [[true]])
        let no = repository.fetchSubscription(No.all.select { $0.answer }).record()
        #expect(await no.values(1) == [[false]])
        yes.cancel()
        no.cancel()
        await closed(repository)
    }

    @Test("R8 A sink that arrives between a change and its value gets the change", arguments: StoreKind.allCases)
    func arriving(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            for number in 1...60 {
                // A raw condition is read again after each commit, so that new sinks meet queries that are due.
                let count = { repository.countSubscription(Film.self) { _ in .raw("title <> ?", "x") } }
                let early = count().record()
                try await repository.create(Film.numbered(number)).value()
                let late = count().record()
                #expect(await late.values(1) == [number])
                #expect(await early.last(where: { $0 == number }) == number)
                #expect(late.values == [number])
                early.cancel()
                late.cancel()
            }
        }
    }

    @Test("R3 A sink that arrives while the query is re-read gets the result, even if it is unchanged")
    func arrivingAtTheSame() async throws {
        try await withRepository(.file) { repository in
            try await repository.create(Film.numbered(1)).value()
            let count = { repository.countSubscription(Film.self) { _ in .raw("title <> ?", "x") } }
            let early = count().record()
            #expect(await early.values(1) == [1])
            // The live queue is held up, so that a commit and a new sink meet in one pass.
            let (isReading, mayGoOn) = (Gate(), Gate())
            let slow = LiveQuery { _ in
                isReading.open()
                mayGoOn.wait()
                return 0
            }
            let held = repository.follow(slow).record()
            await isReading.opened()
            try await repository.update(Film.numbered(1, title: "Other")).value()
            let late = count().record()
            mayGoOn.open()
            #expect(await late.values(1) == [1])
            #expect(early.values == [1])
            held.cancel()
            early.cancel()
            late.cancel()
        }
    }

    @Test("R9 When the last sink leaves, the query is gone", arguments: StoreKind.allCases)
    func leaving(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            for _ in 0..<20 {
                let recorders = (0..<5).map { _ in repository.countSubscription(Film.self).record() }
                for recorder in recorders { recorder.cancel() }
            }
            // Another query gets its first value once the pass has handled all departures.
            let other = repository.sumSubscription(of: \Film.boxOffice).record()
            _ = await other.values(1)
            #expect(repository.statistics.queries == 1)
            #expect(repository.statistics.subscriptions == 1)
            other.cancel()
        }
    }

    @Test("R11 A failure, and the closing of the repository, reach every sink", arguments: StoreKind.allCases)
    func ending(kind: StoreKind) async throws {
        try await withRepository(kind, [Measure.self]) { repository in
            try await repository.create(Measure.numbered(1)).value()
            let rows = (0..<4).map { _ in repository.fetchSubscription(Measure.all).record() }
            let counts = (0..<4).map { _ in repository.countSubscription(Measure.self).record() }
            for recorder in rows { _ = await recorder.values(1) }
            for recorder in counts { _ = await recorder.values(1) }
            try await repository.transaction { try $0.execute(Measure.spoil, 1) }.value()
            for recorder in rows { #expect(await recorder.end().isDecoding) }
            await closed(repository)
            for recorder in counts { #expect(await recorder.end().isClosed) }
        }
    }
}

extension Completion<RepositoryError>? {
    fileprivate var isDecoding: Bool {
        guard case .failure(.decoding)? = self else { return false }
        return true
    }

    fileprivate var isClosed: Bool {
        guard case .failure(.closed)? = self else { return false }
        return true
    }
}
