/// A test waits for the event itself, never for a period of time, and is never skipped.
enum TestingRules {
    static func sleeps(_ source: SwiftSource) -> [Violation] {
        source.code.matches(#"\b(?:u|nano)?sleep\s*\(|\bTask\.sleep\b|\.asyncAfter\b"#).map {
            let sentence = "`\($0.text)`: wait for the event, or move a VirtualScheduler."
            return Violation(path: source.path, line: $0.line, sentence: sentence)
        }
    }

    /// In the tests of `Signals` time is virtual throughout.
    static func clocks(_ source: SwiftSource) -> [Violation] {
        guard source.path.hasPrefix("Tests/SignalsTests/") else { return [] }
        let pattern =
            #"\b(?:Continuous|Suspending)Clock\b|\bDate\(\)|\bDate\.now\b|\bclock_gettime\b|\buptimeNanoseconds\b"#
        return source.code.matches(pattern).map {
            Violation(path: source.path, line: $0.line, sentence: "`\($0.text)`: use virtual time, not the wall clock.")
        }
    }

    static func skips(_ source: SwiftSource) -> [Violation] {
        let switched = source.code.matches(#"\.disabled\s*\(|\.enabled\s*\(\s*if|\bwithKnownIssue\b|\bXCTSkip\b"#).map {
            Violation(path: source.path, line: $0.line, sentence: "`\($0.text)`: run the test, or remove it.")
        }
        let legacy = source.imports.filter { $0.module == "XCTest" }.map {
            Violation(path: source.path, line: $0.line, sentence: "Tests are written with Swift Testing.")
        }
        return switched + legacy
    }
}
