import Testing

@testable import MutantsKit

@Suite("What a run found out") struct ReportTests {
    private func mutants(_ count: Int) -> [Mutant] {
        (1...count).map {
            Mutant(
                number: $0, file: "Sources/Signals/R\($0 % 2)/A.swift", line: $0, kind: .negated, before: "a \($0)",
                after: "b", occurrence: 0)
        }
    }

    @Test("The same seed draws the same mutants, another one others, and none twice")
    func draw() {
        let all = mutants(1_000)
        let drawn = Draw.sample(50, of: all, seed: 17)
        #expect(drawn.map(\.number).prefix(3) == [503, 393, 330])
        #expect(drawn == Draw.sample(50, of: all, seed: 17) && drawn != Draw.sample(50, of: all, seed: 18))
        #expect(Set(drawn.map(\.number)).count == 50)
        #expect(Draw.sample(60, of: all, seed: 17).prefix(50).elementsEqual(drawn))
        #expect(Draw.sample(2_000, of: all, seed: 17).count == 1_000)
        #expect(Draw.sample(3, of: [], seed: 1).isEmpty)
    }

    @Test("The rate is that of the mutants that can be killed")
    func rate() throws {
        let equivalents = try Equivalents("# A comment\nSources/Signals/R1/A.swift\n- a 3\n+ b\nNobody sees it.\n")
        let verdicts: [Verdict] = [.killed("t"), .timedOut("s"), .survived, .notCovered, .crashed("s")]
        let report = Report(Array(zip(mutants(5), verdicts)), equivalents)
        #expect(report.rooms.map(\.name) == ["Signals/R0", "Signals/R1"])
        #expect(report.rooms[1] == Report.Room(name: "Signals/R1", drawn: 3, killed: 2, equivalent: 1))
        #expect(report.rooms[0].rate == "50 %" && report.rooms[1].rate == "100 %" && report.total.left == 1)
        #expect(
            report.survivors.map(\.mutant.number) == [4] && report.equivalent.map(\.sentence) == ["Nobody sees it."])
        let document = report.document("Heading.")
        #expect(document.contains("| Signals/R1 | 3 | 2 | 1 | 0 | 100 % |"))
        #expect(document.contains("- Signals/R1/A.swift: `` a 3 `` → `` b ``.\n  Nobody sees it."))
        #expect(document.contains("`` a 4 `` → `` b ``. not covered."))
        #expect(Report([], equivalents).total.rate == "–")
    }

    @Test("An equivalent mutant without a sentence is an error")
    func sentence() {
        #expect(throws: MutantsError.self) { try Equivalents("A.swift\n- a\n+ b\n") }
        #expect(throws: MutantsError.self) { try Equivalents("A.swift\na\nb\nc\n") }
    }

    @Test(
        "What is called wrongly is refused",
        arguments: [
            ["--count", "0"], ["--jobs", "3"], ["--slowest", "0"], ["--resume", "--survivors"], ["--kind", "none"],
            ["x"],
        ])
    func usage(arguments: [String]) {
        #expect(throws: (any Error).self) { try MutantsCommand.parse(arguments) }
    }

    @Test("A room, a file, a kind and a number choose")
    func chosen() throws {
        let mutant = mutants(1)[0]
        for (arguments, isChosen) in [
            ([], true), (["--room", "Signals"], true), (["--room", "Signals/R1"], true),
            (["--room", "Signals/R"], false),
            (["--file", "A.swift"], true), (["--file", "B.swift"], false), (["--kind", "negated"], true),
            (["--kind", "bound"], false), (["--mutant", "1"], true), (["--mutant", "2"], false),
        ] {
            #expect(try MutantsCommand.parse(arguments).isChosen(mutant) == isChosen, "\(arguments)")
        }
        #expect(try MutantsCommand.parse([]).isDue(nil) && !MutantsCommand.parse([]).isDue(.survived))
        let again = try MutantsCommand.parse(["--survivors"])
        #expect(again.isDue(.survived) && !again.isDue(nil) && again.isDue(.notCovered) && !again.isDue(.killed("t")))
    }
}
