import ArgumentParser
import Foundation

/// The program: puts small faults into the sources, one at a time, and counts those that no test sees.
public struct MutantsCommand: ParsableCommand {
    /// Names the program.
    public static let configuration = CommandConfiguration(
        commandName: "mutants",
        abstract: "Put small faults into the sources, one at a time, and show those that no test sees.",
        discussion: """
            The package is copied into .build-mutants and built there once, with the faults behind one switch. Each \
            suite of tests is run once to see which faults it reaches, and then each fault is run against those suites \
            alone. It ends with status 0, 1 when it cannot do its work, 64 when it was called wrongly, and 130 when \
            Ctrl-C ended it; what was judged until then is kept.
            """)

    @Option(help: "How many mutants to draw at random.")
    var count = 600

    @Option(help: "The seed of the draw; by default a new one, which is printed.")
    var seed: UInt64?

    @Option(help: "Only mutants of this folder, such as Signals/Operators.")
    var room: String?

    @Option(help: "Only these suites judge, whose names contain one of these words, separated by commas.")
    var suites: String?

    @Option(help: "Only mutants of files whose path ends so, such as Map.swift.")
    var file: String?

    @Option(help: "Only mutants of this kind: \(Mutant.Kind.allCases.map(\.rawValue).joined(separator: ", ")).")
    var kind: Mutant.Kind?

    @Option(help: "Only the mutant with this number.")
    var mutant: Int?

    @Option(help: "How many processes run at once: 1 or 2.")
    var jobs = 1

    @Option(help: "Leave out suites that take more seconds, where quicker ones reach a mutant too.")
    var slowest = 20.0

    @Flag(help: "List the mutants, and run none.")
    var list = false

    @Flag(help: "Use what was built and recorded last, though sources or tests may have changed.")
    var reuse = false

    @Flag(help: "Judge what is left of the last draw.")
    var resume = false

    @Flag(help: "Judge once more those of the last draw that survived.")
    var survivors = false

    @Flag(help: "Write Documentation/Mutants.md.")
    var document = false

    /// Makes the command; its parser does so.
    public init() {}

    /// Refuses what no run can do.
    public func validate() throws {
        if count < 1 { throw ValidationError("--count is 1 or more.") }
        if !(1...2).contains(jobs) { throw ValidationError("--jobs is 1 or 2.") }
        if slowest <= 0 { throw ValidationError("--slowest is more than 0.") }
        if resume && survivors { throw ValidationError("--resume and --survivors exclude each other.") }
    }

    /// Runs the program.
    public func run() throws {
        Interrupt.watch()
        try Session(self).run()
    }

    /// Runs the program as it was called, and ends it with the status that its help promises.
    public static func start() -> Never {
        do {
            var command = try parseAsRoot()
            try command.run()
            leave(0)
        } catch is Interrupt {
            leave(130, "Interrupted.")
        } catch let error as MutantsError {
            leave(1, "Error: \(error)")
        } catch  where exitCode(for: error) == .success {
            exit(withError: error)
        } catch  where exitCode(for: error) == .validationFailure {
            leave(64, "Error: \(message(for: error))")
        } catch {
            leave(1, "Error: \(error)")
        }
    }

    private static func leave(_ status: Int32, _ sentence: String? = nil) -> Never {
        if let sentence { FileHandle.standardError.write(Data((sentence + "\n").utf8)) }
        Foundation.exit(status)
    }
}

extension Mutant.Kind: ExpressibleByArgument {}

extension MutantsCommand {
    /// Whether the last draw is used again.
    var goesOn: Bool { resume || survivors }

    func isChosen(_ mutant: Mutant) -> Bool {
        if let room, !mutant.file.hasPrefix("Sources/\(room)/"), mutant.file != "Sources/\(room)" { return false }
        if let file, !mutant.file.hasSuffix(file) { return false }
        if let kind, mutant.kind != kind { return false }
        return self.mutant.map { $0 == mutant.number } ?? true
    }

    func isJudge(_ suite: String) -> Bool {
        suites.map { $0.split(separator: ",").contains { suite.contains($0) } } ?? true
    }

    /// Whether a mutant of the draw is to be judged in this run.
    func isDue(_ verdict: Verdict?) -> Bool {
        guard let verdict else { return !survivors }
        return survivors && !verdict.isKilled
    }
}
