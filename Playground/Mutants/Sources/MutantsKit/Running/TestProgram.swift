import Foundation

/// The package's tests as one program, which runs any of its suites in a separate process.
struct TestProgram: Sendable {
    enum Result: Equatable {
        case passed
        /// The test that failed first.
        case failed(String)
        case crashed
        case timedOut
    }

    let path: String
    /// The folder for the tests' files; its path is short, because that of a socket has at most 107 bytes.
    let temporary: URL

    /// The suites, as `Module.Suite`; a test outside any suite counts as one.
    func suites() throws -> [String] {
        let listed = try ChildProcess.output(Self.limited(words + ["--list-tests"]), limit: .seconds(120))
        guard listed.status == 0 else { throw MutantsError("the tests cannot be listed:\n" + listed.text) }
        let names = listed.text.split(separator: "\n").compactMap { Self.suite(of: String($0)) }
        return Set(names).sorted()
    }

    static func suite(of test: String) -> String? {
        guard test.contains("."), !test.contains(" ") else { return nil }
        return test.split(separator: "/").first.map(String.init)
    }

    func run(_ suites: [String], environment: [String: String], limit: Duration) throws -> Result {
        let folder = temporary.appending(path: String(UUID().uuidString.prefix(8)))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // Some tests drop the rights of root.
        for open in [temporary, folder] {
            try FileManager.default.setAttributes([.posixPermissions: 0o1777], ofItemAtPath: open.path)
        }
        defer { try? FileManager.default.removeItem(at: folder) }
        let settings = [
            "TMPDIR": folder.path, "PATIENCE": "10", "SWIFT_BACKTRACE": "enable=no",
            "SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH": "2",
        ]
        var failed: String?
        let ending = try ChildProcess.run(
            Self.limited(words + ["--filter", Self.filter(suites)]),
            environment: settings.merging(environment) { $1 }, limit: limit
        ) { line in
            failed = Self.failedTest(line)
            return failed == nil
        }
        switch ending {
        case .stopped: return .failed(failed ?? "")
        case .exited(0): return .passed
        case .exited: return .failed(suites.count == 1 ? suites[0] : "")
        case .crashed: return .crashed
        case .timedOut: return .timedOut
        case .interrupted: throw Interrupt()
        }
    }

    private var words: [String] { [path, "--testing-library", "swift-testing"] }

    /// Limits the memory and the files of a process, because a mutant may never stop growing.
    private static func limited(_ words: [String]) -> [String] {
        ["/bin/sh", "-c", "ulimit -c 0; ulimit -f 4194304; ulimit -v 16777216 2>/dev/null; exec \"$@\"", "sh"] + words
    }

    static func filter(_ suites: [String]) -> String {
        "^(" + suites.map(NSRegularExpression.escapedPattern).joined(separator: "|") + ")(/|$)"
    }

    /// The name of the failed test, if a line reports a failure.
    static func failedTest(_ line: String) -> String? {
        guard let end = line.range(of: " recorded an issue"), let start = line.range(of: "Test ") else { return nil }
        return start.upperBound < end.lowerBound ? String(line[start.upperBound..<end.lowerBound]) : nil
    }
}
