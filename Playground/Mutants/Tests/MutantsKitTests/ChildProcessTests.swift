import Testing

@testable import MutantsKit

@Suite("The ending of a child process is reported") struct ChildProcessTests {
    private func run(_ line: String, limit: Duration = .seconds(300), until last: String? = nil) throws
        -> ChildProcess.Ending
    {
        try ChildProcess.run(["/bin/sh", "-c", line], environment: ["A": "5"], limit: limit) { $0 != last }
    }

    @Test("A child exits, is killed, exceeds the time limit, or has printed enough")
    func endings() throws {
        #expect(try run("exit 0") == .exited(0))
        #expect(try run("exit $A") == .exited(5))
        #expect(try run("kill -9 $$") == .crashed(9))
        #expect(try run("while :; do :; done", limit: .zero) == .timedOut)
        #expect(try run("echo a; echo b; while :; do :; done", until: "b") == .stopped)
    }

    @Test("Processes that the child has started end with it")
    func group() throws {
        #expect(try run("(while :; do :; done) & echo b; wait", until: "b") == .stopped)
        #expect(
            try ChildProcess.output(["/bin/sh", "-c", "printf 'a\\nb\\n' >&2"], limit: .seconds(300)).text == "a\nb\n")
    }

    @Test("A missing program is an error")
    func missing() {
        #expect(throws: MutantsError.self) { try ChildProcess.output(["/none"], limit: .seconds(300)) }
    }
}
