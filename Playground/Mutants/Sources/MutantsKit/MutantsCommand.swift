import ArgumentParser
import Foundation

/// The program: puts small faults into the sources, one at a time, and counts those that no test sees.
public struct MutantsCommand: ParsableCommand {
    /// Names the program.
    public static let configuration = CommandConfiguration(
        commandName: "mutants",
        abstract: "Put small faults into the sources, one at a time, and show those that no test sees.",
        discussion: """
            Copies the package into .build-mutants and builds it there once, with all faults behind one switch. Runs \
            each suite once to record the faults that it reaches, and then each fault against only those suites. Ends \
            with status 0, with 1 on an error, with 64 for wrong arguments, and with 130 on Ctrl-C, which keeps the \
            verdicts so far.
            """)

    @Option(help: "How many mutants to draw at random.")
    var count = 600

    @Option(help: "The seed of the draw; by default a random one, which is printed.")
    var seed: UInt64?

    @Option(help: "Only mutants of this folder, such as Signals/Operators.")
    var room: String?

    @Option(help: "Use only suites whose names contain one of these words, separated by commas.")
    var suites: String?

    @Option(help: "Only mutants of files whose path ends with this, such as Map.swift.")
    var file: String?

    @Option(help: "Only mutants of this kind: \(Mutant.Kind.allCases.map(\.rawValue).joined(separator: ", ")).")
    var kind: Mutant.Kind?

    @Option(help: "Only the mutant with this number.")
    var mutant: Int?

    @Option(help: "How many processes run at once: 1 or 2.")
    var jobs = 1

    @Option(help: "Leave out suites that take more seconds than this, if quicker ones reach the mutant.")
    var slowest = 20.0

    @Flag(help: "List the mutants, and run none.")
    var list = false

    @Flag(help: "Use the last build and its records, even if sources or tests have changed.")
    var reuse = false

    @Flag(help: "Judge the rest of the last draw.")
    var resume = false

    @Flag(help: "Judge the survivors of the last draw again.")
    var survivors = false

    @Flag(help: "Write the result into Documentation/Mutants.md.")
    var document = false

    /// Creates the command, as its parser requires.
    public init() {}

    /// Rejects options that are invalid or contradict each other.
    public func validate() throws {
        if count < 1 { throw ValidationError("--count must be 1 or more.") }
        if !(1...2).contains(jobs) { throw ValidationError("--jobs must be 1 or 2.") }
        if slowest <= 0 { throw ValidationError("--slowest must be more than 0.") }
        if resume && survivors { throw ValidationError("--resume and --survivors exclude each other.") }
    }

    /// Runs the program.
    public func run() throws {
        Interrupt.watch()
        try Session(self).run()
    }

    /// Runs the program with its arguments, and exits with the status that its help promises.
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
