package import Testing

/// Runs a test before those that wait for their turn, and after the others that are prompt.
///
/// An exit test needs it: the thread that waits for its process takes a whole core from the end of the process until
/// the test goes on, and behind a thousand others that are ready that is a minute.
package struct PromptTrait: TestTrait, SuiteTrait, TestScoping {
    package let isRecursive = true

    private static let turns = Turns()

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withoutActuallyEscaping(function) { function in try await Self.turns.take(function) }
    }
}

extension Trait where Self == PromptTrait {
    /// For a test that starts a process and expects its end.
    package static var prompt: Self { PromptTrait() }
}

/// Does one piece of work after another, so that the tests that are limited by no number do not take all at once.
private actor Turns {
    private var last: Task<Void, Never>?

    func take(_ work: @escaping @Sendable () async throws -> Void) async throws {
        let task = Task(priority: .high) { [last] in
            await last?.value
            try await work()
        }
        last = Task(priority: .high) { _ = await task.result }
        try await task.value
    }
}
