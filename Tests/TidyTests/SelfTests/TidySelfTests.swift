import Testing

/// Checks that each rule finds a violation, and accepts a clean counterpart.
@Suite struct TidySelfTests {
    private func source(_ path: String, _ text: String) -> SwiftSource { SwiftSource(path: path, text: text) }
    private let sourcePath = "Sources/Signals/A.swift"

    @Test func fileSize() {
        let lines = { (count: Int) in String(repeating: "a\n", count: count) }
        #expect(SizeRules.fileSize(source(sourcePath, lines(401))).count == 1)
        #expect(SizeRules.fileSize(source(sourcePath, lines(400))).isEmpty)
    }

    @Test func functionSize() {
        let function = { (count: Int) in
            "struct A {\n    func f(\n        a: Int\n    ) {\n" + String(repeating: "a()\n", count: count) + "}\n}"
        }
        let found = SizeRules.functionSize(source(sourcePath, function(59)))
        #expect(found == [Violation(path: sourcePath, line: 2, sentence: "`f` has 61 lines, at most 60.")])
        #expect(SizeRules.functionSize(source(sourcePath, function(58))).isEmpty)
    }

    @Test func lineLength() {
        let line = { (count: Int) in "a\n" + String(repeating: "é", count: count) }
        #expect(SizeRules.lineLength(source(sourcePath, line(121))).map(\.line) == [2])
        #expect(SizeRules.lineLength(source(sourcePath, line(120))).isEmpty)
    }

    @Test(arguments: [
        ("Sources/Signals/A.swift", "import Foundation", 1),
        ("Sources/Signals/A.swift", "import struct Foundation.Data", 1),
        ("Sources/Signals/A.swift", "@preconcurrency import FoundationEssentials", 1),
        ("Sources/Signals/A.swift", "import CSQLite", 1),
        ("Sources/Signals/A.swift", "import Dispatch", 1),
        ("Sources/Signals/Schedulers/A.swift", "import Dispatch", 0),
        ("Sources/Signals/A.swift", "// import Foundation", 0),
        ("Sources/RepositoryCore/A.swift", "import Foundation", 0),
        ("Sources/RepositoryCore/Query/A.swift", "import CSQLite", 1),
        ("Sources/RepositoryCore/Rows/A.swift", "import CSQLite", 0),
        ("Sources/SignalRepository/A.swift", "import CSQLite", 0),
        ("Sources/SignalRepositoryMacros/A.swift", "import SwiftSyntaxMacros", 1),
        ("Sources/EntityMacros/A.swift", "import SwiftSyntaxMacros", 0),
        ("Playground/Mutants/Sources/A.swift", "import SwiftOperators", 0),
        ("Playground/Sources/A.swift", "import SwiftOperators", 1),
    ])
    func imports(path: String, text: String, count: Int) {
        #expect(LayeringRules.imports(source(path, text)).count == count)
    }

    @Test(arguments: [
        "SELECT id FROM movies", "select id\nfrom movies", "INSERT OR REPLACE INTO movies", "UPDATE movies SET a = 1",
        "DELETE FROM movies", "CREATE UNIQUE INDEX a", "PRAGMA user_version", "BEGIN IMMEDIATE", "COMMIT",
        "x ORDER BY y",
        "ROLLBACK TO a", "drop table movies",
    ])
    func sqlText(sql: String) {
        let text = "let a = \"\"\"\n\(sql)\n\"\"\""
        #expect(LayeringRules.sqlText(source("Sources/RepositoryCore/Endpoints/A.swift", text)).count == 1)
        #expect(LayeringRules.sqlText(source("Sources/RepositoryCore/SQL/A.swift", text)).isEmpty)
        #expect(LayeringRules.sqlText(source("Sources/SignalRepository/A.swift", text)).isEmpty)
    }

    @Test(arguments: [
        "Select a film", "the update failed", "Deleted from the list", "creates a table row", "to commit",
    ])
    func sentencesAreNoSQL(sentence: String) {
        #expect(!LayeringRules.isSQL(sentence))
    }

    @Test func dependencies() {
        let other = "dependencies: [.package(url: \"https://example.org/other\", from: \"1.0.0\")]"
        let documentation = "dependencies: [.package(url: \"https://example.org/swift-docc-plugin\", from: \"1.0.0\")]"
        #expect(LayeringRules.dependencies(source("Package.swift", other)).count == 1)
        #expect(LayeringRules.dependencies(source("Package.swift", documentation)).isEmpty)
        let syntax = "a: [.package(url: \"https://example.org/swift-syntax\", from: \"1.0.0\")],\n"
        let always = syntax + "b: [.product(name: \"SwiftSyntax\", package: \"swift-syntax\")]"
        let asked = syntax + "b: [.product(name: \"SwiftSyntax\", package: \"swift-syntax\", condition: macros)]"
        #expect(LayeringRules.dependencies(source("Package.swift", always)).map(\.line) == [2])
        #expect(LayeringRules.dependencies(source("Package.swift", asked)).isEmpty)
        let wrong = asked.replacing("swift-syntax", with: "swift-log")
        #expect(LayeringRules.dependencies(source("Package.swift", wrong)).map(\.line) == [2])
    }

    @Test(arguments: [
        ("public struct Predicate {}", 1), ("public typealias Result = Int", 1), ("public final class Query {}", 1),
        ("public enum Signals {}", 1), ("public struct Group<Key> {}", 1), ("struct Predicate {}", 0),
        ("public enum A { public struct Predicate {} }", 0), ("extension Predicate {}", 0),
        ("public struct Signal {}", 0),
        ("public struct Schema {}", 0),
    ])
    func publicNames(text: String, count: Int) {
        #expect(NamingRules.publicNames(source(sourcePath, text)).count == count)
    }

    @Test(arguments: [
        ("final class A: @unchecked Sendable {}", 1), ("nonisolated(unsafe) var a = 1", 1),
        ("unsafeBitCast(a, to: B.self)", 1),
        ("// a\nfinal class A: @unchecked Sendable {}", 1), ("// unsafe\nfinal class A: @unchecked Sendable {}", 1),
        ("// because the lock guards it\n\n\n\n\nfinal class A: @unchecked Sendable {}", 1),
        ("// Safe: the lock guards it.\nfinal class A: @unchecked Sendable {}", 0),
        (
            "/// One.\n///\n/// Because the lock guards it.\n@usableFromInline\nfinal class A: @unchecked Sendable {}",
            0
        ),
        (
            "final class A: @unchecked Sendable {\n    enum B {}\n    // Safe because it is locked.\n    var a = 1\n}",
            0
        ),
        ("final class A: @unchecked Sendable {\n    // A lock.\n    var a = 1\n}\n// Safe because.", 1),
        ("/// Safe because one queue calls it.\nstruct A {\n    var a = 1\n\n\n\n    var b: Unmanaged<B>\n}", 0),
        ("/// Calls.\nstruct A {\n    var a = 1\n\n\n\n    var b: Unmanaged<B>\n}", 1),
        ("let a = unsafeBitCast(b, to: C.self)  // safe, same layout", 0), ("struct A: Sendable {}", 0),
    ])
    func reasons(text: String, count: Int) {
        #expect(SafetyRules.reasons(source(sourcePath, text)).count == count)
    }

    @Test func ceiling() {
        let trust = "nonisolated(unsafe) var a = 1  // safe\n"
        let atCeiling = String(repeating: trust, count: SafetyRules.trustCeiling)
        #expect(SafetyRules.ceiling([source(sourcePath, atCeiling)]).isEmpty)
        #expect(SafetyRules.ceiling([source(sourcePath, atCeiling), source(sourcePath, trust)]).count == 1)
    }

    @Test(arguments: [
        ("let a = b!", 1), ("f(a)!.b", 1), ("a[0]!", 1), ("try! f()", 1), ("a as! B", 1), ("fatalError(\"No.\")", 1),
        ("if a != b && !c {}", 0), ("let a = try? b as? C", 0), ("print(\"no!\")", 0), ("var a: Int!", 1),
        ("preconditionFailure()", 1), ("precondition(a > 0, \"bad\")", 1),
        ("precondition(a > 0, \"A limit is positive.\")", 0),
        ("preconditionFailure(\n    \"A transaction ended before it was used.\")", 0),
    ])
    func traps(text: String, count: Int) {
        #expect(SafetyRules.traps(source(sourcePath, text)).count == count)
    }

    @Test(arguments: [
        "a.lock()", "a.unlock()", "pthread_mutex_lock(a)", "let a = NSLock()", "let a = Mutex(1)",
        "os_unfair_lock_lock(a)",
    ])
    func locks(text: String) {
        #expect(!SafetyRules.locks(source(sourcePath, text)).isEmpty)
        #expect(SafetyRules.locks(source("Sources/Signals/Internal/Tools/Lock.swift", text)).isEmpty)
        #expect(SafetyRules.locks(source(sourcePath, "a.withLock { $0 }")).isEmpty)
    }

    @Test func lockHolders() {
        let text = "private let state = Lock(State())"
        #expect(SafetyRules.lockHolders(source("Sources/Signals/Operators/Map.swift", text)).count == 1)
        #expect(SafetyRules.lockHolders(source("Sources/Signals/Internal/Kernels/Arbiter.swift", text)).isEmpty)
        #expect(SafetyRules.lockHolders(source("Sources/Signals/Operators/Map.swift", "Block(a)")).isEmpty)
    }

    @Test(arguments: ["TODO", "FIXME", "XXX"])
    func leftovers(word: String) {
        #expect(SafetyRules.leftovers(source(sourcePath, "// \(word): later")).count == 1)
        #expect(SafetyRules.leftovers(source(sourcePath, "let \(word) = 1")).isEmpty)
    }
}
