import Testing

@testable import MutantsKit

@Suite("A mutant is judged") struct JudgeTests {
    private let mutant = Mutant(
        number: 5, file: "Sources/Signals/Operators/Map+Try.swift", line: 1, kind: .negated, before: "a", after: "!a",
        occurrence: 0)

    private func suite(_ name: String, _ seconds: Double, reaches: Set<Int> = [5]) -> Coverage.Suite {
        Coverage.Suite(name: name, seconds: seconds, reached: reaches)
    }

    private func verdict(
        _ suites: [Coverage.Suite], slowest: Double = 20, _ result: @escaping @Sendable (String) -> TestProgram.Result
    ) throws -> (Verdict, runs: [[String]]) {
        let runs = Runs()
        let judge = Judge(coverage: Coverage(suites: suites), slowest: slowest) { suites, number, _ in
            #expect(number == 5)
            runs.add(suites)
            return suites.map(result).first { $0 != .passed } ?? .passed
        }
        return (try judge.verdict(on: mutant), runs.all)
    }

    @Test("Suites that do not reach it are not run; if none does, it is not covered")
    func reach() throws {
        let (verdict, runs) = try verdict([suite("Signals.B", 1, reaches: [4, 6])]) { _ in .failed("t") }
        #expect(verdict == .notCovered && runs.isEmpty && !verdict.isKilled)
    }

    @Test("The suite of its file runs first, then the quickest; the first failure ends the run")
    func order() throws {
        let suites = [
            suite("Signals.Slow", 9), suite("Signals.MapTryTests", 15), suite("Signals.Quick", 0.1),
            suite("Signals.MapTests", 3),
        ]
        let (survived, all) = try verdict(suites) { _ in .passed }
        #expect(survived == .survived && !survived.isKilled)
        #expect(all == [["Signals.MapTryTests"], ["Signals.Quick", "Signals.MapTests"], ["Signals.Slow"]])
        let (killed, some) = try verdict(suites) { $0 == "Signals.Quick" ? .failed("a test") : .passed }
        #expect(killed == .killed("a test") && some.count == 2)
    }

    @Test("A crash and an endless run kill it too")
    func otherEnds() throws {
        #expect(try verdict([suite("Signals.B", 1)]) { _ in .crashed }.0 == .crashed("Signals.B"))
        #expect(try verdict([suite("Signals.B", 1)]) { _ in .timedOut }.0 == .timedOut("Signals.B"))
        #expect(Verdict.crashed("").isKilled && Verdict.timedOut("").isKilled)
    }

    @Test("A module is judged by its own tests, unless none reaches the mutant")
    func module() throws {
        let (_, runs) = try verdict([suite("Other.B", 1), suite("SignalsTesting.B", 2)]) { _ in .passed }
        #expect(runs == [["SignalsTesting.B"]])
        let (_, foreign) = try verdict([suite("Other.B", 1), suite("SignalRepositoryTests.B", 2)]) { _ in .passed }
        #expect(foreign == [["Other.B"], ["SignalRepositoryTests.B"]])
    }

    @Test("A changed suite loses its coverage, and a changed source discards all coverage")
    func changed() {
        let coverage = Coverage(suites: [suite("Signals.MapTests", 1), suite("Signals.AMapTests", 1)])
        #expect(
            coverage.without(["Tests/A/MapTests.swift", "Tests/TidyTests/A.swift"])?.suites.map(\.name) == [
                "Signals.AMapTests"
            ])
        #expect(coverage.without([])?.suites.count == 2)
        for path in ["Sources/A.swift", "Tests/A/Support/Map.swift", "Package.swift"] {
            #expect(coverage.without([path]) == nil)
        }
    }

    @Test("Slow suites are left out, unless there are no others")
    func slow() throws {
        let (_, runs) = try verdict([suite("Signals.Slow", 21), suite("Signals.B", 1)]) { _ in .passed }
        #expect(runs == [["Signals.B"]])
        let (_, only) = try verdict([suite("Signals.Slow", 21)]) { _ in .passed }
        #expect(only == [["Signals.Slow"]])
    }

    @Test(
        "The name of a failed test is read from the output",
        arguments: [
            ("✘ Test \"It holds\" recorded an issue at A.swift:3:5: Expectation failed", "\"It holds\""),
            ("✘ Test run with 3 tests failed after 1 second.", nil), ("◇ Test \"It holds\" started.", nil),
            ("✔ Test \"It holds\" passed after 1 second.", nil),
        ])
    func failedTest(line: String, name: String?) {
        #expect(TestProgram.failedTest(line) == name)
    }

    @Test("A filter matches whole suites, and tests outside suites")
    func filter() throws {
        let filter = try Regex(TestProgram.filter(["A.MapTests", "A.free()"]))
        for test in ["A.MapTests/values()", "A.free()"] { #expect(test.contains(filter)) }
        for test in ["A.MapTestsToo/values()", "B.A.MapTests/x()", "A.freely()"] { #expect(!test.contains(filter)) }
        #expect(TestProgram.suite(of: "A.MapTests/values(_:)") == "A.MapTests")
        #expect(TestProgram.suite(of: "Building for debugging...") == nil)
    }
}

private final class Runs: @unchecked Sendable {
    // Safe because a judge runs one batch after another.
    private(set) var all: [[String]] = []

    func add(_ suites: [String]) { all.append(suites) }
}
