package import Testing

/// Runs a test before those that wait for their turn.
///
/// An exit test needs it: the thread that waits for its process takes a whole core from the end of the process until
/// the test goes on, and behind a thousand others that are ready that is a minute.
package struct PromptTrait: TestTrait, SuiteTrait, TestScoping {
    package let isRecursive = true

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withoutActuallyEscaping(function) { function in
            try await Task(priority: .high) { try await function() }.value
        }
    }
}

extension Trait where Self == PromptTrait {
    /// For a test that starts a process and expects its end.
    package static var prompt: Self { PromptTrait() }
}
