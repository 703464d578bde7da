import Signals
import Testing

@testable import SignalsLaws
@testable import SignalsTesting

@Suite("The laws for asynchronous bridges catch breaches", .timeLimit(.minutes(5)))
struct AsyncLawTests {
    private typealias Stream = AsyncThrowingStream<LawValue, any Error>

    /// A bridge that breaks several laws: it requests everything, may drop values, and runs as soon as it is created.
    private struct Bridge: AsyncSequence, Sendable {
        struct AsyncIterator: AsyncIteratorProtocol {
            var inner: Stream.AsyncIterator
            let hidesFailures: Bool

            mutating func next(isolation actor: isolated (any Actor)?) async throws(LawFailure) -> LawValue? {
                do {
                    return try await inner.next(isolation: actor)
                } catch {
                    if hidesFailures { return nil }
                    throw error as? LawFailure ?? LawFailure(-1)
                }
            }

            mutating func next() async throws(LawFailure) -> LawValue? { try await next(isolation: nil) }
        }

        let stream: Stream
        let hidesFailures: Bool

        init(
            _ signal: Source, policy: Stream.Continuation.BufferingPolicy = .unbounded, hidesFailures: Bool = false,
            cancels: Bool = true
        ) {
            self.hidesFailures = hidesFailures
            stream = Stream(LawValue.self, bufferingPolicy: policy) { continuation in
                let token = signal.sink(
                    onValue: { continuation.yield($0) },
                    onCompletion: { completion in
                        switch completion {
                        case .finished: continuation.finish()
                        case .failure(let failure): continuation.finish(throwing: failure)
                        }
                    })
                if !cancels { token.detach() }
                continuation.onTermination = { _ in if cancels { token.cancel() } }
            }
        }

        func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(inner: stream.makeAsyncIterator(), hidesFailures: hidesFailures)
        }
    }

    private static let broken: [(law: String, make: @Sendable (Source) -> Bridge)] = [
        ("exactly once", { Bridge($0.prefix(1_000_000), policy: .bufferingNewest(2)) }),
        ("bounded", { Bridge($0.prefix(2_000)) }),
        ("failure after values", { Bridge($0.prefix(2_000), hidesFailures: true) }),
        ("break cancels", { Bridge($0.prefix(2_000), cancels: false) }),
        ("task cancels", { Bridge($0.prefix(2_000), cancels: false) }),
        ("task cancels an endless source", { Bridge($0.prefix(2_000), cancels: false) }),
        ("cancelled before", { Bridge($0.prefix(2_000), cancels: false) }),
        ("cancel races values", { Bridge(BrokenOperators.doubling($0.prefix(2_000)), cancels: false) }),
        ("each loop a run", { Bridge($0.prefix(2_000)) }),
    ]

    @Test func aLawfulBridgePasses() async {
        #expect(await Laws.verifyAsync(bound: 4) { $0.values(prefetch: 4) } == [])
    }

    @Test("S41 a signal may be cancelled after its loop has ended, by a separate task") func later() async {
        @Sendable func cancel(_ upstream: Upstream) {
            Task {
                for _ in 0..<1_000 { await Task.yield() }
                upstream.cancel()
            }
        }
        let found = await Laws.verifyAsync(bound: 4) { signal in
            signal.lift { next in
                Sink(
                    onUpstream: { upstream in
                        next.receive(
                            upstream: Upstream(request: { upstream.request($0) }, cancel: { cancel(upstream) }))
                    },
                    onValue: { next.receive($0) }, onCompletion: { next.receive(completion: $0) })
            }.values(prefetch: 4)
        }
        #expect(found == [])
    }

    @Test("S34 a bridge that keeps its signal is caught") func kept() async throws {
        let kept = Lock<Source?>(nil)
        let found = try await breaches(of: "bounded") { signal in
            kept.withLock { $0 = signal }
            return signal.values(prefetch: 4)
        }
        #expect(found.map(\.clause).contains("S34"))
    }

    @Test("S41 each law catches a bridge that breaks it", arguments: broken.indices)
    func brokenBridge(_ index: Int) async throws {
        let (law, make) = Self.broken[index]
        #expect(try await !breaches(of: law, make).isEmpty, "\(law) should have found a breach.")
    }

    /// Returns the findings of one law, with a short timeout: a broken bridge may never cancel or release its signal.
    private func breaches<Made: AsyncSequence & Sendable & SendableMetatype>(
        of law: String, _ make: @escaping @Sendable (Source) -> Made
    ) async throws -> [Breach] where Made.Element == LawValue, Made.Failure == LawFailure {
        let law = try #require(AsyncLaw<Made>.all.first { $0.name == law })
        return await Patience.$seconds.withValue(1) { await Laws.breaches(of: law, bound: 16, make) }
    }

    @Test func everyLawIsTested() {
        #expect(Set(AsyncLaw<SignalValues<LawValue, LawFailure>>.all.map(\.name)) == Set(Self.broken.map(\.law)))
    }

    /// A bridge whose loop never gets a value or an end, and ignores a cancel.
    private struct Silent: AsyncSequence, Sendable {
        struct AsyncIterator: AsyncIteratorProtocol {
            mutating func next(isolation actor: isolated (any Actor)?) async throws(LawFailure) -> LawValue? {
                // Safe because it is never resumed, as the test requires; a checked continuation would report that.
                await withUnsafeContinuation { (_: UnsafeContinuation<LawValue?, Never>) in }
            }

            mutating func next() async throws(LawFailure) -> LawValue? { try await next(isolation: nil) }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
    }

    @Test("S41 the laws give up on a loop that never ends") func silent() async {
        let found = await Patience.$seconds.withValue(1) {
            await Laws.verifyAsync(bound: 16) { _ in Silent() }
        }
        let laws = Set(found.filter { $0.detail.contains("in time") }.compactMap(\.law))
        #expect(laws.isSuperset(of: ["exactly once", "bounded", "task cancels an endless source", "each loop a run"]))
    }
}
