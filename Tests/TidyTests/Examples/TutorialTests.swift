import Foundation
import Testing

/// Follows the tutorial as a reader does: each file compiles, and each program prints what its step says.
@Suite struct TutorialTests {
    @Test func theTutorialPrintsWhatItSays() throws {
        let compiler = try ExampleCompiler()
        defer { #expect(throws: Never.self) { try compiler.removeFolder() } }
        var package = TutorialPackage(compiler)
        var shown: Set<String> = []
        var runs = 0
        for step in try Tutorial.steps() {
            switch step {
            case .file(let name, let resource):
                shown.insert(resource)
                try package.write(name, resource)
            case .terminal(let commands, let resource):
                shown.insert(resource)
                for command in commands {
                    guard let printed = try package.execute(command.line) else { continue }
                    runs += 1
                    check(printed, command, resource)
                }
            }
        }
        #expect(runs > 10)
        #expect(shown == Tutorial.resources())
        let code = shown.filter { $0.hasSuffix(".swift") }
        #expect(code.subtracting(package.compiled).isEmpty)
    }

    /// Compares the output with a step; a test run prints more lines than the step shows, and other times.
    private func check(_ printed: [String], _ command: Tutorial.Command, _ resource: String) {
        guard command.line == "swift test" else {
            #expect(printed == command.output, "\(resource)")
            return
        }
        func timeless(_ lines: [String]) -> [String] { lines.map { $0.replacing(/[0-9.]+ seconds/, with: "seconds") } }
        #expect(Set(timeless(command.output)).subtracting(timeless(printed)).isEmpty, "\(resource): \(printed)")
    }

    @Test func commandsAreRead() {
        let commands = Tutorial.commands(in: "$ swift run\na\n b\n$ cd Films\n")
        #expect(commands == [.init(line: "swift run", output: ["a", " b"]), .init(line: "cd Films")])
    }
}
