import Foundation
import Testing

/// Checks this repository against the project's own rules.
///
/// Each rule is a function over text; `SelfTests/` shows that it finds violations.
@Suite struct TidyTests {
    @Test func sizes() {
        report(Project.sources.flatMap(SizeRules.fileSize))
        report(Project.tests.flatMap(SizeRules.fileSize))
        report(Project.swiftSources.flatMap(SizeRules.functionSize))
        report(Project.swiftSources.flatMap(SizeRules.lineLength))
    }

    @Test func layering() {
        report(Project.sources.flatMap(LayeringRules.imports))
        report(Project.sources.flatMap(LayeringRules.sqlText))
        report(Project.swiftSources.filter { $0.path == "Package.swift" }.flatMap(LayeringRules.dependencies))
    }

    @Test func layers() {
        for module in [LayerRules.core, LayerRules.streams] {
            report(LayerRules.arrows(module, Project.sources))
            guard ProcessInfo.processInfo.environment["LAYERS"] != nil else { continue }
            for line in LayerRules.table(module, Project.sources) { print(line) }
        }
    }

    /// The sources of all products.
    private static let products = Project.sources(under: "Sources/") + Project.sources(under: "Tests/SignalsLaws/")

    @Test func publicNames() {
        report(Self.products.flatMap(NamingRules.publicNames))
    }

    @Test func safety() {
        report(Project.sources.flatMap(SafetyRules.reasons))
        report(SafetyRules.ceiling(Project.sources(under: "Sources/")))
        report(Project.sources.flatMap(SafetyRules.traps))
        report(Self.products.flatMap(SafetyRules.locks))
        report(Project.sources(under: "Sources/").flatMap(SafetyRules.lockHolders))
        report(Project.sources.flatMap(SafetyRules.leftovers))
    }

    @Test func testsNeitherSleepNorSkip() {
        report(Project.tests.flatMap(TestingRules.sleeps))
        report(Project.tests.flatMap(TestingRules.clocks))
        report(Project.tests.flatMap(TestingRules.skips))
    }

    @Test func operators() {
        let sources = Project.sources(under: MirrorRules.operators).map(\.path)
        let tests = Project.tests.map(\.path)
        let documentation = Project.text("Documentation/Operators.md") ?? ""
        report(MirrorRules.operatorMirrors(sources: sources, tests: tests, documentation: documentation))
        report(Project.sources.flatMap(MirrorRules.operatorTypes))
    }

    @Test func endpoints() {
        let sources = Project.sources(under: MirrorRules.endpoints)
        report(sources.flatMap(MirrorRules.endpointDocumentation))
        report(MirrorRules.endpointMirrors(sources, tests: Project.tests))
    }

    @Test func topics() {
        for (module, type) in TopicRules.types {
            let modules = module == "Signals" ? [module] : ["RepositoryCore", module]
            let sources = modules.flatMap { Project.sources(under: "Sources/\($0)/") }
            let listed = TopicRules.topics(TopicRules.page(module, of: module))
            let functions = TopicRules.topics(TopicRules.page(type, of: module))
            #expect(listed.count > 15 && functions.count > 40)
            report(sources.flatMap { TopicRules.types($0, module: module, topics: listed) })
            report(sources.flatMap { TopicRules.functions(of: type, $0, module: module, topics: functions) })
        }
    }

    @Test func errors() {
        let errors = Project.sources(under: ErrorRules.source)
        #expect(errors.flatMap(ErrorRules.cases).count > 20)
        report(errors.flatMap { ErrorRules.rows($0, documentation: Project.text(ErrorRules.documentation) ?? "") })
    }

    @Test func options() {
        let sources = Project.sources(under: "Sources/") + Project.sources(under: "Package.swift")
        #expect(sources.flatMap(OptionRules.options).count > 50)
        report(OptionRules.rows(sources, documentation: Project.text(OptionRules.documentation) ?? ""))
    }

    @Test func enumerations() {
        let sources = Project.sources(under: "Sources/").filter { source in
            !["EntityMacros/", "SignalsTesting/", "SignalRepositoryTesting/"].contains {
                source.path.hasPrefix("Sources/" + $0)
            }
        }
        #expect(sources.flatMap(EnumerationRules.enumerations).count > 20)
        report(EnumerationRules.rows(sources, documentation: Project.text(EnumerationRules.documentation) ?? ""))
    }

    @Test func contract() {
        let path = "Documentation/Contract.md"
        let contract = ClauseRules.contract(Project.text(path) ?? "")
        let tests = Project.tests.filter { !$0.path.hasPrefix("Tests/TidyTests/") }
        #expect(contract.clauses.count > 0)
        report(tests.flatMap { ClauseRules.unknown($0, in: contract) })
        report(ClauseRules.uncited(contract, by: tests, path: path))
    }

    @Test func texts() {
        report(Project.markdown.filter { $0.path == "README.md" }.flatMap(TextRules.length))
        report(Project.texts.flatMap(TextRules.machinePaths))
        report(TextRules.topLevel(Project.topLevel))
        let paths = Set(Project.files).union(Project.files.flatMap(folders))
        report(Project.markdown.flatMap { file in TextRules.deadLinks(file) { paths.contains($0) } })
        report(Project.markdown.flatMap { file in TextRules.walks(file) { paths.contains($0) } })
    }

    @Test func walks() {
        #expect(Project.markdown.flatMap(WalkRules.walks).contains { $0.count > 10 })
        report(Project.markdown.flatMap { WalkRules.stale($0, Project.sources(under: "Sources/")) })
        let concurrency = Project.markdown.filter { $0.path == "Documentation/Concurrency.md" }
        #expect(concurrency.count == 1)
        report(concurrency.flatMap { WalkRules.unknownTypes($0, Project.sources(under: "Sources/")) })
    }

    @Test func theRepositoryIsRead() {
        #expect(Project.sources.contains { $0.path == "Sources/Signals/Signal.swift" })
        #expect(Project.tests.contains { $0.path == "Tests/TidyTests/TidyTests.swift" })
        #expect(Project.texts.contains { $0.path == "README.md" })
        #expect(Project.texts.contains { $0.path == ".ci/run" })
    }

    private func folders(of path: String) -> [String] {
        let parts = path.split(separator: "/")
        return parts.indices.dropFirst().map { parts[..<$0].joined(separator: "/") }
    }

    private func report(_ violations: [Violation], location: SourceLocation = #_sourceLocation) {
        for violation in violations { Issue.record("\(violation)", sourceLocation: location) }
    }
}
