/// The tests' verdict on a mutant.
enum Verdict: Codable, Equatable, Sendable, CustomStringConvertible {
    /// The test that failed.
    case killed(String)
    /// The suites that ran together, one of which crashed.
    case crashed(String)
    case timedOut(String)
    case survived
    /// No test reaches it.
    case notCovered

    var isKilled: Bool {
        switch self {
        case .killed, .crashed, .timedOut: true
        case .survived, .notCovered: false
        }
    }

    var description: String {
        switch self {
        case .killed(let test): "killed by \(test)"
        case .crashed(let suites): "killed by a crash in \(suites)"
        case .timedOut(let suites): "killed, because \(suites) did not end"
        case .survived: "survived"
        case .notCovered: "not covered"
        }
    }
}

/// Runs the tests against one mutant.
struct Judge: Sendable {
    let coverage: Coverage
    let slowest: Double
    /// Runs suites with a mutant switched on, for at most `limit` seconds.
    let run: @Sendable (_ suites: [String], _ mutant: Int, _ limit: Double) throws -> TestProgram.Result

    func verdict(on mutant: Mutant) throws -> Verdict {
        let judges = coverage.judges(of: mutant, slowest: slowest)
        if judges.isEmpty { return .notCovered }
        for batch in Coverage.batches(judges) {
            let names = batch.map(\.name)
            let limit = 30 + 5 * batch.reduce(0) { $0 + $1.seconds }
            let shown = names.count == 1 ? names[0] : "\(names[0]) and \(names.count - 1) more suites"
            switch try run(names, mutant.number, limit) {
            case .passed: continue
            case .failed(let test): return .killed(test.isEmpty ? shown : test)
            case .crashed: return .crashed(shown)
            case .timedOut: return .timedOut(shown)
            }
        }
        return .survived
    }
}
