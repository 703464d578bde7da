import Foundation

/// The places where code asks the compiler for trust are explained, counted and few.
enum SafetyRules {
    /// The number of times that our sources may ask the compiler for trust.
    ///
    /// Lower it when possible. Raising it is a decision.
    static let trustCeiling = 95

    private static let trust =
        #"@unchecked\s+Sendable|nonisolated\(unsafe\)|\bunsafe[A-Z]\w*|\bUnmanaged\b|@exclusivity\(unchecked\)"#
        + #"|\b_withUnsafe\w+"#

    static func trusts(_ source: SwiftSource) -> [TextMatch] {
        source.code.matches(trust)
    }

    /// Each place has a comment that says what makes it safe, on its line or right above.
    ///
    /// For a type and its members the reason may also be above the type or at the fields in question, as "safe because
    /// …". Fields that are exclusive for the same reason give it once.
    static func reasons(_ source: SwiftSource) -> [Violation] {
        let comments = source.comments.split(separator: "\n", omittingEmptySubsequences: false)
        let types = source.outline.declarations.filter { !$0.isMember }
        return trusts(source).filter { trust in
            let around = types.filter { ($0.line...$0.lastLine).contains(trust.line) }.flatMap { type in
                source.documentation(above: type.line)
                    + (type.line == trust.line || trust.text.hasPrefix("@exclusivity") ? body(of: type, comments) : [])
            }
            return !around.contains { $0.contains("afe because") } && !isReasoned(at: trust.line, comments)
        }.map {
            let sentence = "\($0.text) needs a comment that says what makes it safe (\"because …\", \"safe: …\")."
            return Violation(path: source.path, line: $0.line, sentence: sentence)
        }
    }

    private static func body(of type: Outline.Declaration, _ comments: [Substring]) -> [String] {
        comments[(type.line - 1)..<type.lastLine].map(String.init)
    }

    /// Searches the line, then the comment block above it, past at most three lines of code.
    private static func isReasoned(at line: Int, _ comments: [Substring]) -> Bool {
        var code = 0
        var block: [Substring] = []
        for comment in comments.prefix(line).reversed() {
            let isComment = comment.contains { !$0.isWhitespace }
            if isComment { block.append(comment) }
            if !isComment {
                if !block.isEmpty && code > 0 { break }
                code += 1
                if code > 3 { break }
            }
        }
        return !block.joined(separator: "\n").matches(#"\b[Bb]ecause\b|\b[Ss]afe"#).isEmpty
    }

    static func ceiling(_ sources: [SwiftSource]) -> [Violation] {
        let count = sources.reduce(0) { $0 + trusts($1).count }
        guard count > trustCeiling else { return [] }
        let sentence = "\(count) places ask the compiler for trust, at most \(trustCeiling)."
        return [Violation(path: "Sources", line: 1, sentence: sentence)]
    }

    /// A library must not end its user's process because of an unexpected value.
    static func traps(_ source: SwiftSource) -> [Violation] {
        let forced = source.code.matches(#"[\w)\]}"]!(?![=\w(])|\b(?:try|as)!|\bfatalError\b"#).map {
            Violation(path: source.path, line: $0.line, sentence: "`\($0.text)`: return a failure instead.")
        }
        let silent = source.code.matches(#"\bprecondition(Failure)?\s*\("#).filter { match in
            let near = source.literals.filter { (match.line...match.line + 4).contains($0.line) }
            return !near.contains { !$0.text.matches(#"^\s*\S+\s+\S+\s[\s\S]*[.)]\s*$"#).isEmpty }
        }
        return forced
            + silent.map {
                Violation(
                    path: source.path, line: $0.line, sentence: "A precondition must say what is wrong in a sentence.")
            }
    }

    /// There is one lock type, used only through `withLock`, so that no code can forget to release it.
    static func locks(_ source: SwiftSource) -> [Violation] {
        guard source.path != "Sources/Signals/Internal/Tools/Lock.swift" else { return [] }
        let pattern =
            #"\.(?:un|try)?[lL]ock\(\)|\bpthread_(?:mutex|rwlock|spin|cond)\w*|\bos_unfair_lock\w*"#
            + #"|\bNS(?:Recursive)?Lock\b|\bMutex\b\s*[<(]"#
        return source.code.matches(pattern).map {
            Violation(path: source.path, line: $0.line, sentence: "\($0.text): use Lock (Internal/Tools/Lock.swift).")
        }
    }

    /// The files of `Signals` that may hold state under a lock.
    ///
    /// These are the kernels, hot signals, delivery on other threads, schedulers, and the hook, which is not part of
    /// any signal. Every other stage is built on them.
    static let lockPlaces = [
        "Internal/Kernels/Arbiter.swift", "Internal/Kernels/Inbox.swift", "Internal/Engines/Reservoir.swift",
        "Internal/Engines/Outlet.swift", "Internal/Engines/Sharing.swift", "Subjects/",
        "Internal/Kernels/Pause.swift", "Internal/Kernels/LatestSource.swift", "Internal/Kernels/FanOut.swift",
        "Internal/Kernels/BacklogOutbox.swift", "Internal/Kernels/PulledOutbox.swift",
        "Internal/Tools/Confinement.swift", "Schedulers/",
        "DiscardHook.swift",
    ]

    static func lockHolders(_ source: SwiftSource) -> [Violation] {
        let signals = "Sources/Signals/"
        guard source.path.hasPrefix(signals), !source.path.hasPrefix(signals + "Internal/Tools/Lock"),
            !lockPlaces.contains(where: { source.path.hasPrefix(signals + $0) })
        else { return [] }
        return source.code.matches(#"\bLock\s*[<(]"#).map {
            Violation(path: source.path, line: $0.line, sentence: "Build on a kernel (Internal/) instead of a lock.")
        }
    }

    /// Postponed work belongs in the issue tracker, not in the sources.
    static func leftovers(_ source: SwiftSource) -> [Violation] {
        source.comments.matches(#"\b(TODO|FIXME|XXX|HACK)\b"#).map {
            Violation(path: source.path, line: $0.line, sentence: "\($0.text) does not belong in a source.")
        }
    }
}
