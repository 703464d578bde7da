import Testing

/// No public function passes a closure that is not `Sendable` to another thread: such a call does not compile.
@Suite struct IsolationMisuseTests {
    /// Calls that use `Log`, which is not `Sendable`, and the error of each; `nil` if the call is correct.
    private static let calls: [(code: String, error: String?)] = [
        (
            """
            func follow(_ numbers: Signal<Int, Never>, _ log: Log) -> SignalToken {
                numbers.isolatedSink(bufferSize: 16, whenFull: .suspend) { log.add($0) }
            }
            """, "in a synchronous nonisolated context"
        ),
        (
            """
            func follow(_ numbers: Signal<Int, Never>, _ log: Log) async -> SignalToken {
                numbers.isolatedSink(bufferSize: 16, whenFull: .suspend) { log.add($0) }
            }
            """, "is not compatible with expected argument type 'any Actor'"
        ),
        (
            """
            func follow(_ numbers: Signal<Int, Never>, isolation: isolated (any Actor)?) -> SignalToken {
                let log = Log()
                return numbers.isolatedSink(bufferSize: 16, whenFull: .suspend) { log.add($0) }
            }
            """, "value of optional type '(any Actor)?' must be unwrapped"
        ),
        (
            """
            actor Follower {
                nonisolated func follow(_ numbers: Signal<Int, Never>, _ log: Log) -> SignalToken {
                    numbers.isolatedSink(bufferSize: 16, whenFull: .suspend) { log.add($0) }
                }
            }
            """, "in a synchronous nonisolated context"
        ),
        (
            """
            actor Follower {}
            func follow(_ numbers: Signal<Int, Never>, for other: Follower) async -> SignalToken {
                let log = Log()
                defer { log.add(1) }
                return await numbers.isolatedSink(bufferSize: 16, whenFull: .suspend, isolation: other) { log.add($0) }
            }
            """, "risks causing data races"
        ),
        (
            """
            actor Follower {}
            func follow(_ numbers: Signal<Int, Never>, for actor: Follower, _ log: Log) -> SignalToken {
                numbers.isolatedSink(on: actor, bufferSize: 16, whenFull: .suspend) { _, number in log.add(number) }
            }
            """, "capture of 'log' with non-Sendable type 'Log'"
        ),
        (
            """
            func follow(_ numbers: Signal<Int, Never>, _ log: Log) -> SignalToken { numbers.sink { log.add($0) } }
            """, "capture of 'log' with non-Sendable type 'Log'"
        ),
        (
            """
            func follow(_ numbers: Signal<Int, Never>, _ log: Log) -> SignalToken {
                numbers.mainActorSink { log.add($0) }
            }
            """, "in a synchronous nonisolated context"
        ),
        (
            """
            @MainActor func follow(_ numbers: Signal<Int, Never>, _ log: Log) -> SignalToken {
                numbers.isolatedSink(bufferSize: 16, whenFull: .suspend) { log.add($0) }
            }
            """, nil
        ),
        (
            """
            @globalActor actor Archive { static let shared = Archive() }
            @Archive func follow(_ numbers: Signal<Int, Never>, _ log: Log) -> SignalToken {
                numbers.isolatedSink(bufferSize: 16, whenFull: .suspend) { log.add($0) }
            }
            """, nil
        ),
        (
            """
            actor Follower {
                var log = Log()
                var token: SignalToken?
                func follow(_ numbers: Signal<Int, Never>) {
                    token = numbers.isolatedSink(bufferSize: 16, whenFull: .suspend) { self.log.add($0) }
                }
            }
            """, nil
        ),
        (
            """
            func follow(_ numbers: Signal<Int, Never>, isolation: isolated any Actor) -> SignalToken {
                let log = Log()
                return numbers.isolatedSink(bufferSize: 16, whenFull: .suspend) { log.add($0) }
            }
            """, nil
        ),
    ]

    @Test(
        "R-H1 a sink whose closure is not Sendable is refused wherever it would leave its actor",
        arguments: calls.indices)
    func closures(_ index: Int) throws {
        let (code, error) = Self.calls[index]
        let compiler = try ExampleCompiler()
        defer { #expect(throws: Never.self) { try compiler.removeFolder() } }
        let log = "final class Log { var sum = 0; func add(_ number: Int) { sum += number } }"
        let file = try compiler.write("import Signals\n\(log)\n\(code)", to: "Call.swift")
        // The compiler finds data races only after type checking.
        let errors = try compiler.compile(["-emit-sil", "-parse-as-library", "-o", "/dev/null", file])
        if let error {
            #expect(errors.contains { $0.contains(error) }, "\(errors)")
        } else {
            #expect(errors.isEmpty)
        }
    }
}
