import Dispatch
import Foundation
import Synchronization

/// The mutants that each suite reaches, and how long each suite takes.
struct Coverage: Codable, Equatable, Sendable {
    struct Suite: Codable, Equatable, Sendable {
        let name: String
        let seconds: Double
        let reached: Set<Int>
    }

    var suites: [Suite] = []
    /// Suites that fail without a mutant, and so cannot judge any.
    var failing: [String] = []

    /// Runs each suite that may judge and is not recorded yet, each in its own process, several at once.
    mutating func record(
        _ program: TestProgram, isJudge: (String) -> Bool, mutants count: Int, jobs: Int, notes: URL,
        log: @escaping @Sendable (String) -> Void
    ) throws {
        failing = []
        let known = Set(suites.map(\.name))
        let names = try program.suites().filter { !known.contains($0) && isJudge($0) }
        let state = Mutex(Recording(rest: names[...], coverage: self))
        DispatchQueue.concurrentPerform(iterations: jobs) { job in
            let notes = notes.appendingPathExtension("\(job)")
            while let name = state.withLock({ $0.fault == nil ? $0.rest.popFirst() : nil }) {
                let recorded = Result { try Self.record(name, program, mutants: count, notes: notes, log: log) }
                state.withLock { state in
                    switch recorded {
                    case .success(let suite?): state.coverage.suites.append(suite)
                    case .success(nil): state.coverage.failing.append(name)
                    case .failure(let error): state.fault = error
                    }
                    let count = names.count - state.rest.count
                    if count.isMultiple(of: 20) { log("\(count) of \(names.count) suites recorded.") }
                }
            }
        }
        let end = state.withLock { $0 }
        self = end.coverage
        if let fault = end.fault { throw fault }
    }

    private struct Recording: Sendable {
        var rest: ArraySlice<String>
        var coverage: Coverage
        var fault: (any Error)?
    }

    /// Records a suite; returns nil if it does not pass.
    private static func record(
        _ name: String, _ program: TestProgram, mutants count: Int, notes: URL, log: @Sendable (String) -> Void
    ) throws -> Suite? {
        try Data(count: count + 1).write(to: notes)
        let start = ContinuousClock.now
        let environment = [SwitchModule.reached: notes.path, "PATIENCE": "30"]
        let result = try program.run([name], environment: environment, limit: .seconds(600))
        let duration = ContinuousClock.now - start
        guard result == .passed else {
            log("\(name) does not pass without a mutant (\(result)), so it judges none.")
            return nil
        }
        let reached = try Data(contentsOf: notes).enumerated().filter { $0.element != 0 && $0.offset > 0 }
        let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
        return Suite(name: name, seconds: seconds, reached: Set(reached.map(\.offset)))
    }

    /// The coverage that remains valid after files have changed; nil if none does.
    ///
    /// A suite has the name of its file.
    func without(_ changed: [String]) -> Coverage? {
        var rest = self
        // Neither folder is built.
        for path in changed where !path.hasPrefix("Documentation/") && !path.hasPrefix("Tests/TidyTests/") {
            guard path.hasPrefix("Tests/"), path.hasSuffix("Tests.swift"), let file = path.split(separator: "/").last
            else { return nil }
            rest.suites.removeAll { $0.name.hasSuffix("." + file.dropLast(".swift".count)) }
        }
        return rest
    }

    /// The coverage of only the suites that may judge.
    func limited(to isJudge: (String) -> Bool) -> Coverage {
        var rest = self
        rest.suites.removeAll { !isJudge($0.name) }
        return rest
    }

    /// The suites that judge a mutant, in their order: first those of its file, then the quickest.
    ///
    /// They are those of its module, unless none of them reaches the mutant. Slow suites are left out, unless there are
    /// no others.
    func judges(of mutant: Mutant, slowest: Double) -> [Suite] {
        let name = mutant.file.split(separator: "/").last?.split(separator: ".").first.map(String.init) ?? ""
        let stem = name.split(separator: "+").joined()
        let reaching = suites.filter { $0.reached.contains(mutant.number) }
        let own = reaching.filter { $0.name.hasPrefix(mutant.module) }
        let all = own.isEmpty ? reaching : own
        let quick = all.filter { $0.seconds <= slowest }
        func isNamesake(_ suite: Suite) -> Bool { suite.name.hasSuffix(".\(stem)Tests") }
        return (quick.isEmpty ? all : quick).sorted { one, other in
            if isNamesake(one) != isNamesake(other) { return isNamesake(one) }
            return (one.seconds, one.name) < (other.seconds, other.name)
        }
    }

    /// Groups the suites that run in one process: the first alone, then twice as many each time.
    ///
    /// A mutant that is killed early costs one suite, and a survivor does not cost a process for each.
    static func batches(_ suites: [Suite]) -> [[Suite]] {
        var batches: [[Suite]] = []
        var size = 1
        var rest = suites[...]
        while !rest.isEmpty {
            batches.append(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
            size *= 2
        }
        return batches
    }
}
