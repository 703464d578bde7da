import Testing

@testable import RepositoryCore
@testable import SignalRepository

/// Returns the repository's error that a body throws; the test fails if it throws none.
func thrown<Value>(
    _ location: SourceLocation = #_sourceLocation, by body: () throws(RepositoryError) -> Value
) throws -> RepositoryError {
    do {
        _ = try body()
    } catch {
        return error
    }
    throw Missing(location: location)
}

private struct Missing: Error, CustomStringConvertible {
    let location: SourceLocation
    var description: String { "no error was thrown at line \(location.line)" }
}
