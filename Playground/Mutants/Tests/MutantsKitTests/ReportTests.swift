import Testing

@testable import MutantsKit

@Suite("The result of a run") struct ReportTests {
    private func mutants(_ count: Int) -> [Mutant] {
        (1...count).map {
            Mutant(
                number: $0, file: "Sources/Signals/R\($0 % 2)/A.swift", line: $0, kind: .negated, before: "a \($0)",
                after: "b", occurrence: 0)
        }
    }

    @Test("The same seed draws the same mutants, another seed others, and none twice")
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

    @Test("The rate counts only mutants that can be killed")
    func rate() throws {
        let equivalents = try Equivalents("# A comment\nSources/Signals/R1/A.swift\n- a 3\n+ b\nNobody sees it.\n")
        let verdicts: [Verdict] = [.killed("t"), .timedOut("s"), .survived, .notCovered, .crashed("s")]
        let report = Report(Array(zip(mutants(5), verdicts)), equivalents)
        #expect(report.rooms.map(\.name) == ["Signals/R0", "Signals/R1"])
        #expect(report.rooms[1] == Report.Room(name: "Signals/R1", drawn: 3, killed: 2, equivalent: 1))
        #expect(report.rooms[0].rate == "50 %" && report.rooms[1].rate == "100 %" && report.total.left == 1)
        #expect(report.survivors.map(\.mutant.number) == [4])
        #expect(report.text.hasSuffix("all: 3 of 5 killed, 1 equivalent, 1 left (75 %)"))
        let page = "# Mutants\n\nText.\n\n## Latest result\n\n"
        let table = """
            Heading:

            | Module | Judged | Killed | Equivalent | Survived | Killed, without the equivalent ones |
            |---|--:|--:|--:|--:|--:|
            | `Signals` | 5 | 3 | 1 | 1 | 75 % |
            | all | 5 | 3 | 1 | 1 | 75 % |

            """
        #expect(try report.replacingResult(of: page + "Old.\n", heading: "Heading:") == page + table)
        #expect(throws: MutantsError.self) { try report.replacingResult(of: "# Mutants\n", heading: "Heading:") }
        #expect(Report([], equivalents).total.rate == "–")
    }

    @Test("An equivalent mutant without a reason is an error")
    func sentence() {
        #expect(throws: MutantsError.self) { try Equivalents("A.swift\n- a\n+ b\n") }
        #expect(throws: MutantsError.self) { try Equivalents("A.swift\na\nb\nc\n") }
    }

    @Test(
        "Wrong arguments are rejected",
        arguments: [
            ["--count", "0"], ["--jobs", "3"], ["--slowest", "0"], ["--resume", "--survivors"], ["--kind", "none"],
            ["x"],
        ])
    func usage(arguments: [String]) {
        #expect(throws: (any Error).self) { try MutantsCommand.parse(arguments) }
    }

    @Test("A folder, a file, a kind and a number select mutants")
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
