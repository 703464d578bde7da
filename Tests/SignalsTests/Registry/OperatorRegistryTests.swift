import Foundation
import Signals
import SignalsTesting
import Testing

@Suite("Every operator keeps the contract", .timeLimit(.minutes(5)))
struct OperatorRegistryTests {
    @Test(
        "S1 S2 S3 S4 S5 S6 S8 S9 S10 S11 S12 S14 S15 S16 S17 S20 S24 S26 S27 S29 S30 S31 S32 S34 laws",
        arguments: OperatorRegistry.all)
    func laws(_ registered: RegisteredOperator) {
        report(registered.verify(1...20))
    }

    @Test(
        "S34 R-L3 after the end of a run, a sink that keeps its upstream retains nothing else",
        arguments: OperatorRegistry.all,
        KeepingEnd.allCases)
    func lettingGo(_ registered: RegisteredOperator, _ end: KeepingEnd) { #expect(registered.leaks(end) == []) }

    @Test func noneIsMissing() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/Signals/Operators")
        let files = try FileManager.default.contentsOfDirectory(atPath: sources.path)
            .filter { $0.hasSuffix(".swift") }.map { String($0.dropLast(".swift".count)) }
        #expect(files.count > 20)
        // A throwing operator is in the file of its plain form.
        let throwing = try files.filter { file in
            try String(contentsOf: sources.appending(path: file + ".swift"), encoding: .utf8).contains("func try")
        }.map { "Try" + $0 }
        #expect(throwing.count > 10)
        let (operators, registered) = (Set(files + throwing), Set(OperatorRegistry.all.map(\.file)))
        #expect(operators.subtracting(registered) == [], "These operators are not in the registry.")
        #expect(registered.subtracting(operators) == [], "These operators of the registry do not exist.")
    }
}
