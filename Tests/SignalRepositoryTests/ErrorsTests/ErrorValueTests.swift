import Foundation
import Testing

@testable import RepositoryCore
@testable import SignalRepository

/// Errors as values: comparable, printable, and at most a line or two in a log.
@Suite("Errors as values") struct ErrorValueTests {
    private struct Odd: Error { let name: String }
    private struct Exact: Error, Hashable, CustomStringConvertible {
        let number: Int
        var description: String { "one of many" }
    }

    @Test("Errors are equal if their parts are; thrown errors are compared by type and by value or description")
    func equality() {
        let diagnosis = Diagnosis(.full, "m", sql: "SELECT 1")
        #expect(RepositoryError.full(diagnosis) == .full(diagnosis))
        #expect(RepositoryError.full(diagnosis) != .io(diagnosis))
        #expect(RepositoryError.closed != .cancelled)
        #expect(
            RepositoryError.rolledBack(by: ThrownError(Odd(name: "a"))) == .rolledBack(by: ThrownError(Odd(name: "a"))))
        #expect(
            RepositoryError.rolledBack(by: ThrownError(Odd(name: "a"))) != .rolledBack(by: ThrownError(Odd(name: "b"))))
        #expect(ThrownError(Exact(number: 1)) == ThrownError(Exact(number: 1)))
        #expect(ThrownError(Exact(number: 1)) != ThrownError(Exact(number: 2)))
        #expect(ThrownError(Exact(number: 1)) != ThrownError(Odd(name: "one of many")))
        #expect(ThrownError(RepositoryError.closed) == ThrownError(RepositoryError.closed))
        let errors: [RepositoryError] = [
            .rolledBack(by: ThrownError(Odd(name: "a"))), .rolledBack(by: ThrownError(Odd(name: "a"))),
            .migrationFailed(step: "s", by: ThrownError(Exact(number: 1))), .closed, .closed,
            .notFound(entity: "E", id: "1"), .misuse(detail: "d"), .full(diagnosis), .full(diagnosis),
        ]
        #expect(Set(errors).count == 6)
        #expect("\(ThrownError(Exact(number: 1)))" == "one of many")
    }

    @Test("Reports are equal when their parts are")
    func reports() {
        let failure = BatchFailure(item: 1, error: .closed)
        #expect(failure == BatchFailure(item: 1, error: .closed))
        #expect(failure != BatchFailure(item: 2, error: .closed))
        #expect(BatchResult(success: ["a"], failed: [failure]) == BatchResult(success: ["a"], failed: [failure]))
        #expect(BatchResult(success: ["a"], failed: [failure]) != BatchResult(success: ["a"], failed: []))
        #expect(
            Set([BatchResult(success: ["a"], failed: [failure]), BatchResult(success: ["a"], failed: [failure])]).count
                == 1)
        #expect("\(failure)" == "\(RepositoryError.closed)")
        #expect((failure as any Error).localizedDescription == RepositoryError.closed.summary)
    }

    @Test("N4 The system shows the summary of an error, and its recovery suggestion if it has one")
    func localized() {
        let diagnosis = Diagnosis(.busy, "database is locked")
        let errors: [RepositoryError] = [
            .busy(diagnosis), .closed, .ownedElsewhere(path: "p", detail: "d"), .notFound(entity: "E", id: "1"),
            .commitOutcomeUnknown(diagnosis), .corrupt(diagnosis), .rolledBack(by: ThrownError(Odd(name: "a"))),
        ]
        for error in errors {
            #expect((error as any Error).localizedDescription == error.summary)
            #expect(error.errorDescription == error.summary)
            if let suggestion = error.recoverySuggestion {
                #expect("\(error)".contains(suggestion))
                #expect(suggestion.first?.isUppercase == true && suggestion.last == ".")
            }
        }
        #expect(RepositoryError.busy(diagnosis).recoverySuggestion == "Try again.")
        #expect(RepositoryError.notFound(entity: "E", id: "1").recoverySuggestion == nil)
        #expect(RepositoryError.commitOutcomeUnknown(diagnosis).recoverySuggestion != nil)
    }

    @Test("A code without its own case is reported with its diagnosis, and not as the caller's mistake")
    func unknownCodes() {
        for code: Int32 in [2, 3, 4, 12, 22, 24, 99, 516, 1_000_000] {
            let code = ResultCode(rawValue: code)
            #expect(RepositoryError.failure(code, "m", path: "p") == .unexpected(Diagnosis(code, "m")))
        }
        for code: Int32 in [1, 21, 23, 25] {
            #expect(RepositoryError.failure(ResultCode(rawValue: code), "m", path: "p").isMisuse, "\(code)")
        }
        #expect(RepositoryError.failure(ResultCode(rawValue: 20), "datatype mismatch", path: "p").isConstraint)
    }

    @Test("An error truncates a long statement and states its length")
    func longStatements() async throws {
        let long = "SELECT " + String(repeating: "é", count: 5_000)
        let diagnosis = Diagnosis(.full, String(repeating: "m", count: 5_000), sql: long)
        #expect("\(diagnosis)".utf8.count < 2_500)
        #expect(diagnosis.sql?.hasPrefix("SELECT éé") == true)
        #expect(diagnosis.sql?.hasSuffix("… (10007 bytes)") == true)
        #expect(Diagnosis(.full, "m", sql: "SELECT 1").sql == "SELECT 1")
        let connection = try Connection(path: ":memory:", options: ConnectionOptions())
        let statements = [
            "SELECT 1; SELECT " + String(repeating: "1, ", count: 2_000),
            "SELECT " + String(repeating: "a", count: 9_000),
            "SELEC " + String(repeating: "a", count: 9_000),
        ]
        for sql in statements {
            let error = try thrown { () throws(RepositoryError) in try connection.execute(sql) }
            #expect("\(error)".utf8.count < 2_500)
        }
    }
}
