import Foundation

/// Which suite reaches which mutants, and how long it takes.
struct Coverage: Codable, Equatable, Sendable {
    struct Suite: Codable, Equatable, Sendable {
        let name: String
        let seconds: Double
        let reached: Set<Int>
    }

    var suites: [Suite] = []
    /// Suites that do not pass without any mutant, and so can judge none.
    var failing: [String] = []

    /// Runs each suite once that has not passed yet, in its own process.
    mutating func record(
        _ program: TestProgram, mutants count: Int, notes: URL, log: @Sendable (String) -> Void
    ) throws {
        failing = []
        let known = Set(suites.map(\.name))
        let names = try program.suites().filter { !known.contains($0) }
        for (index, name) in names.enumerated() {
            try Data(count: count + 1).write(to: notes)
            let start = ContinuousClock.now
            let environment = [SwitchModule.reached: notes.path, "PATIENCE": "30"]
            let result = try program.run([name], environment: environment, limit: .seconds(600))
            let duration = ContinuousClock.now - start
            let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
            guard result == .passed else {
                log("\(name) does not pass without a mutant (\(result)); it judges none.")
                failing.append(name)
                continue
            }
            let reached = try Data(contentsOf: notes).enumerated().filter { $0.element != 0 && $0.offset > 0 }
            suites.append(Suite(name: name, seconds: seconds, reached: Set(reached.map(\.offset))))
            if (index + 1).isMultiple(of: 20) { log("\(index + 1) of \(names.count) suites recorded.") }
        }
    }

    /// What is still known when some files have changed: a suite has the name of its file.
    func without(_ changed: [String]) -> Coverage? {
        var rest = self
        // Neither is built.
        for path in changed where !path.hasPrefix("Documentation/") && !path.hasPrefix("Tests/TidyTests/") {
            guard path.hasPrefix("Tests/"), path.hasSuffix("Tests.swift"), let file = path.split(separator: "/").last
            else { return nil }
            rest.suites.removeAll { $0.name.hasSuffix("." + file.dropLast(".swift".count)) }
        }
        return rest
    }

    /// The suites that reach a mutant, in the order in which they are to judge it: those of its file, then the
    /// quickest.
    ///
    /// A module is judged by its own tests, unless it has none that reach the mutant; a slow suite is left out, unless
    /// there are only such.
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

    /// Puts suites together that are run in one process: the first alone, then ever more of them, so that a mutant that
    /// is found soon costs one suite, and one that is not found does not cost a start for each.
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
