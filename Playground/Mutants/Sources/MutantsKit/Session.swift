import Foundation

/// One run of the program: find, build, record, draw, judge, report.
struct Session {
    let options: MutantsCommand
    private let scratch: ScratchPackage
    private let records: Records

    init(_ options: MutantsCommand) throws {
        #if !os(Linux)
            throw MutantsError("mutants runs only on Linux, where the package's tests are a single executable")
        #endif
        self.options = options
        let root = URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory)
        scratch = ScratchPackage(of: root, room: options.room)
        guard !scratch.modules.isEmpty else {
            throw MutantsError("--room must name a folder of \(ScratchPackage.allModules.joined(separator: ", "))")
        }
        records = Records(folder: scratch.folder)
        guard FileManager.default.fileExists(atPath: root.appending(path: "Sources/Signals").path) else {
            throw MutantsError("there is no package with Sources/Signals in this folder")
        }
        try FileManager.default.createDirectory(at: scratch.folder, withIntermediateDirectories: true)
    }

    private static let log: @Sendable (String) -> Void = { line in
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }

    func run() throws {
        let sources = try scratch.sources()
        let mutants = sources.flatMap(\.mutants)
        if options.list {
            for mutant in mutants where options.isChosen(mutant) { print(mutant.text) }
            return
        }
        let refused = try build(sources, mutants)
        let builder = Builder(scratch: scratch, log: Self.log)
        let program = TestProgram(
            path: try builder.testProgram(),
            temporary: FileManager.default.temporaryDirectory.appending(path: "mutants-\(getpid())"))
        defer { try? FileManager.default.removeItem(at: program.temporary) }
        let coverage = try coverage(program, mutants)
        let candidates = mutants.filter { !refused.contains($0.number) && options.isChosen($0) }
        var session = try session(candidates, of: mutants, refused)
        records.session = session
        let drawn = Set(session.drawn)
        let known = session.verdicts
        let judged = mutants.filter { drawn.contains($0.key) }
        let equivalents = try equivalents()
        let left = judged.filter { mutant in
            // Judging a known equivalent mutant again would run all its tests for nothing.
            options.isDue(known[mutant.key]) && !(options.survivors && equivalents.sentence(for: mutant) != nil)
        }
        if let other = left.first(where: { !records.built.contains($0.module) }) {
            throw MutantsError("the last build has no mutants of \(other.module): build again, without --reuse")
        }
        let judge = Judge(coverage: coverage.limited(to: options.isJudge), slowest: options.slowest) {
            suites, mutant, limit in
            try program.run(suites, environment: [SwitchModule.number: "\(mutant)"], limit: .seconds(limit))
        }
        var fault: (any Error)?
        do {
            // In the order of the draw, so that a run that ends early has judged a random sample, too.
            let order = Dictionary(uniqueKeysWithValues: zip(session.drawn, 0...))
            let records = records
            let kept = Kept(session)
            try Court(judge: judge, jobs: options.jobs, log: Self.log).judge(
                left.sorted { order[$0.key, default: 0] < order[$1.key, default: 0] }
            ) { mutant, verdict in
                records.session = kept.add(mutant, verdict)
            }
        } catch {
            fault = error
        }
        session = records.session ?? session
        try report(judged.compactMap { mutant in session.verdicts[mutant.key].map { (mutant, $0) } }, session.heading)
        if let fault { throw fault }
    }

    private func build(_ sources: [SourceFile], _ mutants: [Mutant]) throws -> Set<Int> {
        let keys = records.refused
        let known = Set(mutants.filter { keys.contains($0.key) }.map(\.number))
        guard !options.reuse else { return known }
        let sources = sources.filter { source in scratch.modules.contains { source.path.hasPrefix("Sources/\($0)/") } }
        Self.log("\(sources.reduce(0) { $0 + $1.mutants.count }) mutants in \(sources.count) files.")
        records.built = scratch.modules
        let (refused, changed) = try Builder(scratch: scratch, log: Self.log).build(sources, known: known) { refused in
            records.refused = Set(mutants.filter { refused.contains($0.number) }.map(\.key))
        }
        records.coverage = records.coverage?.without(changed)
        return refused
    }

    private func coverage(_ program: TestProgram, _ mutants: [Mutant]) throws -> Coverage {
        var coverage = records.coverage ?? Coverage()
        let start = ContinuousClock.now
        let notes = scratch.folder.appending(path: "reached")
        try coverage.record(
            program, isJudge: options.isJudge, mutants: mutants.count, jobs: options.jobs, notes: notes, log: Self.log)
        records.coverage = coverage
        let reached = coverage.suites.reduce(into: Set<Int>()) { $0.formUnion($1.reached) }
        Self.log(
            "\(coverage.suites.count) suites reach \(reached.count) of \(mutants.count) mutants; recording took "
                + "\((ContinuousClock.now - start).components.seconds) s.")
        return coverage
    }

    /// The mutants to judge: those of the last draw if this run continues it, otherwise newly drawn ones.
    private func session(_ candidates: [Mutant], of all: [Mutant], _ refused: Set<Int>) throws -> Records.Session {
        if options.goesOn {
            guard let last = records.session else { throw MutantsError("there is no run to continue") }
            return last
        }
        if let number = options.mutant {
            guard let mutant = candidates.first(where: { $0.number == number }) else {
                throw MutantsError("mutant \(number) does not exist, or does not compile")
            }
            return Records.Session(heading: "Mutant \(number).", drawn: [mutant.key])
        }
        let seed = options.seed ?? UInt64.random(in: 1...999_999)
        let drawn = Draw.sample(options.count, of: candidates, seed: seed)
        let heading =
            "Of \(all.count) mutants, \(refused.count) do not compile. \(drawn.count) were drawn from "
            + "\(candidates.count) with seed \(seed)."
        Self.log(heading)
        return Records.Session(heading: heading, drawn: drawn.map(\.key))
    }

    private func equivalents() throws -> Equivalents {
        try Equivalents(at: scratch.root.appending(path: "Playground/Mutants/equivalent.txt"))
    }

    private func report(_ judged: [(mutant: Mutant, verdict: Verdict)], _ heading: String) throws {
        let report = Report(judged, try equivalents())
        print(report.text)
        guard options.document else { return }
        let date = try ChildProcess.output(["git", "log", "-1", "--format=%cs"], limit: .seconds(60)).text
        let day = date.trimmingCharacters(in: .whitespacesAndNewlines)
        let page = scratch.root.appending(path: "Documentation/Mutants.md")
        let text = try report.replacingResult(
            of: String(contentsOf: page, encoding: .utf8),
            heading: "\(heading) \(judged.count) were judged, on the sources of \(day):")
        try Data(text.utf8).write(to: page)
    }
}
