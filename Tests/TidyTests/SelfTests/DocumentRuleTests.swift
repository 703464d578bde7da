import Foundation
import Testing

/// Checks the rules about tests, mirrors, clauses and texts, each with a violation and a clean counterpart.
@Suite struct DocumentRuleTests {
    private func source(_ path: String, _ text: String) -> SwiftSource { SwiftSource(path: path, text: text) }

    @Test(arguments: [
        "sleep(1)", "usleep(1)", "nanosleep(&a, nil)", "try await Task.sleep(for: a)",
        "Thread.sleep(forTimeInterval: 1)", "queue.asyncAfter(deadline: a) {}",
    ])
    func sleeps(text: String) {
        #expect(!TestingRules.sleeps(source("Tests/A.swift", text)).isEmpty)
        #expect(TestingRules.sleeps(source("Tests/A.swift", "print(\"\(text)\") // " + text)).isEmpty)
    }

    @Test(arguments: ["ContinuousClock().now", "Date()", "Date.now"])
    func clocks(text: String) {
        #expect(TestingRules.clocks(source("Tests/SignalsTests/A.swift", text)).count == 1)
        #expect(TestingRules.clocks(source("Tests/SignalRepositoryTests/A.swift", text)).isEmpty)
    }

    @Test(arguments: [
        "@Test(.disabled()) func a() {}", "@Test(.enabled(if: b)) func a() {}", "withKnownIssue {}", "import XCTest",
    ])
    func skips(text: String) {
        #expect(TestingRules.skips(source("Tests/A.swift", text)).count == 1)
        #expect(TestingRules.skips(source("Tests/A.swift", "import Testing\n@Test func a() {}")).isEmpty)
    }

    private let mapSource = "Sources/Signals/Operators/Map.swift"
    private let mapTests = "Tests/SignalsTests/OperatorTests/MapTests.swift"
    private let mapRow = "| operator |\n|---|\n| [`map`](../Sources/Signals/Operators/Map.swift) |"

    @Test func operatorMirrors() {
        let found = { (sources: [String], tests: [String], rows: String) in
            MirrorRules.operatorMirrors(sources: sources, tests: tests, documentation: rows).count
        }
        #expect(found([mapSource], [mapTests], mapRow) == 0)
        #expect(found([mapSource], [], mapRow) == 1)
        #expect(found([mapSource], [mapTests], "Map.swift maps.") == 1)
        #expect(found([], [mapTests], mapRow) == 1)
    }

    @Test func operatorTypes() {
        #expect(MirrorRules.operatorTypes(source(mapSource, "public struct Map {}")).count == 1)
        #expect(
            MirrorRules.operatorTypes(source(mapSource, "extension Signal { public final class Map {} }")).count == 1)
        #expect(MirrorRules.operatorTypes(source(mapSource, "private struct Map {}\npublic enum Policy {}")).isEmpty)
        #expect(MirrorRules.operatorTypes(source("Sources/Signals/Sink.swift", "public struct Sink {}")).isEmpty)
    }

    @Test func topics() {
        let page = "# A\n- ``Zero``\n\n## Topics\n\n### One\n\n- ``Sum``\n- ``map(_:)``\n- ``zip(_:with:)-1a2b3``\n"
        #expect(TopicRules.topics(page) == ["Sum", "map", "zip"])
        #expect(TopicRules.topics("# A\n\n- ``Sum``\n").isEmpty)
        let code = """
            public struct Sum {}
            struct Hidden {}
            extension Sum { public struct Part {} }
            public protocol Product {}
            extension Signal {
                public func map(_ a: Int) {}
                public func filter(_ a: Int) {}
                func hidden() {}
                public func makeAsyncIterator() {}
            }
            public extension Signal { func zip(_ a: Int, with b: Int) {} }
            extension Sum { public func add() {} }
            """
        let found = source("Sources/Signals/A.swift", code)
        let listed = TopicRules.topics(page)
        #expect(TopicRules.types(found, module: "Signals", topics: listed).map(\.line) == [4])
        #expect(TopicRules.functions(of: "Signal", found, module: "Signals", topics: listed).map(\.line) == [7])
        #expect(TopicRules.functions(of: "Signal", found, module: "Signals", topics: []).map(\.line) == [6, 7, 11])
    }

    private let endpoint = MirrorRules.endpoints + "Repository+Create.swift"

    @Test func endpointsOfAPublicExtension() {
        let code = "public extension Repository {\n    func create(_ item: Int) {}\n    private func hidden() {}\n}"
        #expect(MirrorRules.publicEndpoints(source(endpoint, code)).map(\.signature) == ["create(_:)"])
    }

    @Test func endpointDocumentation() {
        func found(_ lines: String) -> Int {
            let code = "extension Repository {\n/// Creates.\n///\n\(lines)public func create(_ item: Int) {}\n}"
            return MirrorRules.endpointDocumentation(source(endpoint, code)).count
        }
        #expect(found("/// - Delivery: one.\n/// - Failure: none.\n@inlinable\n") == 0)
        #expect(found("/// - Delivery: one.\n") == 1)
        #expect(found("/// - Delivery and failure: as `read()`.\n") == 0)
        #expect(found("/// - Delivery and failure: none.\n") == 2)
        #expect(found("") == 2)
    }

    @Test func endpointMirrors() {
        let code = "extension Repository {\n    public func create(_ item: Int) {}\n}"
        let create = source(MirrorRules.endpoints + "Create+Many.swift", code)
        func found(_ name: String, _ text: String) -> Int {
            let tests = [source(MirrorRules.endpointTests + "EndpointsTests/\(name).swift", text)]
            return MirrorRules.endpointMirrors([create], tests: tests).count
        }
        #expect(found("CreateTests", "@Test(arguments: StoreKind.allCases) func a() {}") == 0)
        #expect(found("CreateTests", "@Test func a() {} // StoreKind.allCases") == 1)
        #expect(found("RecreateTests", "@Test(arguments: StoreKind.allCases) func a() {}") == 1)
        #expect(MirrorRules.endpointMirrors([source(create.path, "extension Other {}")], tests: []).isEmpty)
    }

    @Test func errors() {
        let code = """
            public indirect enum RepositoryError: Error {
                /// No item; in case of doubt (case gone).
                case notFound(entity: String)
                case closed
            }
            extension A { func a() { switch b { case .other: c(); case let .more(d): d() } } }
            """
        let error = source(ErrorRules.source, code)
        #expect(ErrorRules.cases(error).map(\.name) == ["notFound", "closed"])
        func found(_ rows: String) -> [String] {
            ErrorRules.rows(error, documentation: "| Case |\n|---|\n" + rows).map(\.sentence)
        }
        #expect(found("| `notFound` | a |\n| `closed` | b |") == [])
        #expect(found("| `closed` | `notFound` |") == ["Documentation/Errors.md needs one row for `notFound`."])
        #expect(found("| `notFound` |\n| `closed` |\n| `gone` |") == ["There is no error `gone`."])
        #expect(found("| `notFound` |\n| `closed` |\n| `closed` |").count == 1)
    }

    @Test func options() {
        let code = """
            public struct RepositoryConfiguration {
                public var readers = 4
                public var now: () -> Int = { 1 }
                public var isQuick: Bool { readers > 4 }
                var hidden = 1
                public init() {}
            }
            public final class SQLiteRepository {
                public init(_ location: Int, durability: Int) {}
                init(_ location: Int, silence: Int) {}
            }
            public enum StoreAccess {
                case readOnly
                enum Inner {}
            }
            public struct Other { public var name = 1 }
            """
        let package = source("Package.swift", "traits: [.trait(name: \"Macros\", description: \"\")]")
        let options = source("Sources/SignalRepository/A.swift", code)
        let names = ["readers", "now", "durability:", ".readOnly", "Macros"]
        #expect([options, package].flatMap(OptionRules.options).map(\.name) == names)
        func found(_ names: [String]) -> [String] {
            let rows = names.map { "| `\($0)` | 1 |\n" }.joined()
            return OptionRules.rows([options, package], documentation: rows).map(\.sentence)
        }
        #expect(found(names) == [])
        #expect(found(Array(names.dropFirst())) == ["Documentation/Options.md has no row for `readers`."])
        #expect(found(names + ["hidden"]) == ["There is no option `hidden`."])
        #expect(found(names + ["batch` of `insert(batch:)"]) == [])
    }

    @Test func enumerations() {
        let code = """
            public indirect enum Fault: Error {
                case broken
                enum Part { case small }
            }
            public struct ChangeSet {
                public enum Extent {
                    case known(rows: Int)
                }
            }
            public enum Laws {
                static func check(_ fault: Fault) { switch fault { case .broken: break } }
            }
            enum Hidden { case one }
            """
        let enumerations = source("Sources/Signals/A.swift", code)
        #expect(EnumerationRules.enumerations(enumerations).map(\.name) == ["Fault", "ChangeSet.Extent"])
        func found(_ rows: String) -> [String] {
            EnumerationRules.rows([enumerations], documentation: "| a `switch` |\n" + rows).map(\.sentence)
        }
        #expect(found("| `Fault`, `ChangeSet.Extent` | a |") == [])
        #expect(
            found("| `Fault` | `ChangeSet.Extent` |")
                == ["Documentation/Versioning.md must say exactly once whether `ChangeSet.Extent` may get new cases."])
        #expect(found("| `Fault`, `ChangeSet.Extent` | a |\n| `Fault` | b |").count == 1)
        #expect(found("| `Fault`, `ChangeSet.Extent`, `Gone` |") == ["There is no enumeration `Gone`."])
    }

    @Test func clauses() {
        let text = """
            # Contract
            - **S1** A.
            - **S2** B, see S1.
            | R1 | C |
            ### R2 D

            Awaiting a test: S2,
            R2.

            This (S9) is none.
            """
        let contract = ClauseRules.contract(text)
        #expect(contract.clauses == ["S1", "S2", "R1", "R2"])
        #expect(contract.awaiting == ["S2", "R2"])
    }

    @Test func citations() {
        let text = """
            @Suite("S1 S2: order") struct A {
                @Test("R1 reads", arguments: ["R2"]) func a() {}
                @Test func S3() {}
                @Test(
                    "S7 b",
                    .serialized) func b() {}
            }
            """
        let citations = ClauseRules.citations(source("Tests/A.swift", text))
        #expect(citations.map(\.id) == ["S1", "S2", "R1", "S7"])
        #expect(citations.map(\.line) == [1, 1, 2, 5])
    }

    @Test func clausesAndCitationsAgree() {
        let tests = [source("Tests/A.swift", "@Test(\"S1 a\") func a() {}\n@Test(\"S4 b\") func b() {}")]
        let contract = ClauseRules.Contract(clauses: ["S1", "S2", "S3"], awaiting: ["S3"])
        #expect(ClauseRules.unknown(tests[0], in: contract).map(\.line) == [2])
        func found(_ contract: ClauseRules.Contract) -> [String] {
            ClauseRules.uncited(contract, by: tests, path: "C.md").map(\.sentence)
        }
        #expect(found(contract) == ["No test cites S2, and it is not listed as awaiting one."])
        #expect(found(.init(clauses: ["S1"], awaiting: ["S8"])) == ["S8 awaits a test but is not a clause."])
        #expect(found(.init(clauses: ["S1", "S1"], awaiting: [])) == ["S1 is defined more than once."])
        let stale = ClauseRules.Contract(clauses: ["S1", "S2"], awaiting: ["S1", "S2"])
        #expect(ClauseRules.stale(stale, citedBy: tests, path: "C.md").count == 1)
        #expect(ClauseRules.stale(contract, citedBy: tests, path: "C.md").isEmpty)
    }

    @Test func readmeLength() {
        let readme = { TextFile(path: "README.md", text: String(repeating: "a\n", count: $0)) }
        #expect(TextRules.length(ofReadme: readme(201)).count == 1)
        #expect(TextRules.length(ofReadme: readme(200)).isEmpty)
    }

    @Test(arguments: ["work", "home", "Users", "root"])
    func machinePaths(folder: String) {
        #expect(TextRules.machinePaths(TextFile(path: "A.swift", text: "see /" + folder + "/a")).count == 1)
        #expect(TextRules.machinePaths(TextFile(path: "A.md", text: "`/" + folder + "`")).count == 1)
        #expect(
            TextRules.machinePaths(TextFile(path: "A.md", text: "../" + folder + "/a and Sources/" + folder + "/a"))
                .isEmpty)
    }

    @Test func walks() {
        let list = "1. `Live/A.swift`: a\n15. `B.swift`: b\n16. `B.swift`: c\n"
        let file = TextFile(path: "Documentation/A.md", text: list)
        let found = TextRules.walks(file) { $0 == "Sources/Signals/B.swift" }
        #expect(found.map(\.sentence) == ["Live/A.swift is not there.", "The walk has more than 15 files."])
        #expect(found.map(\.line) == [1, 3])
    }

    @Test func unknownTypes() {
        let text = "`Hub` and `Hub.State` are locked, `BEGIN` is run, `Operators/Map.swift` is read, not `Gone.State`."
        let found = WalkRules.unknownTypes(TextFile(path: "A.md", text: text), [source("A.swift", "class Hub {}")])
        #expect(found.map(\.description) == ["A.md:1: There is no type `Gone`."])
    }

    @Test func walksThatGoStale() {
        let sources = [
            source("Sources/Signals/A.swift", "struct A { func start() { go(); b.step { $0.end } } }"),
            source("Sources/SignalRepository/Live/B.swift", "func go() {}\nextension A { func step() { rest() } }"),
            source("Sources/Signals/C.swift", "func rest() { call(onValue: { end() }) }\nvar end: Int { 1 }"),
        ]
        func found(_ steps: String...) -> [String] {
            let file = TextFile(path: "Documentation/A.md", text: steps.joined(separator: "\n"))
            return WalkRules.stale(file, sources).map(\.description)
        }
        let first = "1. `A.swift`: `start`: begins."
        #expect(found(first, "2. `Live/B.swift`: `go`, `step`: goes.", "3. `C.swift`: `rest` and `end`: ends.") == [])
        #expect(found(first, "   - `Live/B.swift`: `go`: returns.", "2. `C.swift`: `end`: ends.") == [])
        #expect(found("1. `C.swift`: `onValue`: a closure.") == [])
        let path = "Documentation/A.md:2: "
        #expect(found(first, "2. `Live/B.swift`: `gone`: ends.").first == path + "`gone` is not in Live/B.swift.")
        #expect(
            found(first, "2. `C.swift`: `rest`: ends.") == [path + "`rest` is not called in Sources/Signals/A.swift."])
        #expect(found(first, "2. `Live/B.swift`: ends.") == [path + "Live/B.swift names no function."])
        #expect(found(first, "2. `D.swift`: `rest`: ends.") == [path + "D.swift is not there."])
        #expect(found("1. `A.swift`: `BEGIN`, and more.", "2. `C.swift`: ends.") == [])
        let two = TextFile(path: "A.md", text: first + "\n\n" + first + "\n2. `C.swift`: `end`: ends.")
        #expect(WalkRules.walks(two).map(\.count) == [1, 2])
    }

    @Test func temporaryFoldersInDocuments() {
        #expect(TextRules.machinePaths(TextFile(path: "A.md", text: "/" + "tmp/a")).count == 1)
        #expect(TextRules.machinePaths(TextFile(path: "A.swift", text: "/" + "tmp/a")).isEmpty)
    }

    @Test func topLevel() {
        let whole = Array(TextRules.topLevel)
        #expect(TextRules.topLevel(whole).isEmpty)
        #expect(
            TextRules.topLevel(whole + ["Scripts"]).map(\.sentence) == ["Scripts does not belong at the top level."])
        #expect(
            TextRules.topLevel(whole.filter { $0 != "LICENSE" }).map(\.sentence) == [
                "LICENSE is missing from the top level."
            ])
    }

    @Test func deadLinks() {
        let file = TextFile(
            path: "Documentation/A.md", text: "[a](../README.md) [b](B.md#c) [c](https://example.org/x) [d](#e)")
        #expect(TextRules.deadLinks(file) { ["README.md", "Documentation/B.md"].contains($0) }.isEmpty)
        #expect(
            TextRules.deadLinks(file) { $0 == "README.md" }.map(\.sentence)
                == ["B.md#c"].map { _ in "B.md is not there." })
    }
}
