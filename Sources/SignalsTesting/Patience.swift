import Foundation

/// The maximum time that a wait in a test takes.
///
/// Nothing that keeps the contract needs that long. When it is over, the waiting call returns what there is, and writes
/// to standard error what it waited for, and what has happened so far.
public enum Patience {
    /// Thirty seconds, or the number in the environment variable `PATIENCE`: a sanitizer needs more.
    ///
    /// A test of something that is meant to hang sets less, with `$seconds.withValue`.
    @TaskLocal public static var seconds =
        ProcessInfo.processInfo.environment["PATIENCE"].flatMap(Int.init) ?? 30

    /// Reports that a wait was given up.
    static func report(_ wait: String, _ happened: String, seconds: Int = seconds) {
        FileHandle.standardError.write(Data("Gave up after \(seconds) seconds waiting for \(wait): \(happened)\n".utf8))
    }
}
