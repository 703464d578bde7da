import Testing

/// Checks the rule about folders with modules in which a folder does and does not use a higher one.
@Suite struct LayerSelfTests {
    private let module = LayerRules.Module(path: "Sources/M/", folders: ["Low", "High", "", "Top"])

    private func violations(_ files: [String: String]) -> [Violation] {
        LayerRules.arrows(module, files.map { SwiftSource(path: "Sources/M/" + $0.key, text: $0.value) })
    }

    @Test func typesOfAFolderAbove() {
        let files = ["Low/A.swift": "struct A { let b: B }", "High/B.swift": "struct B {}"]
        #expect(
            violations(files) == [
                Violation(
                    path: "Sources/M/Low/A.swift", line: 1, sentence: "Low uses `B` of High, which is above it.")
            ])
        #expect(violations(["Low/A.swift": "struct A {}", "High/B.swift": "struct B { let a: A }"]).isEmpty)
        #expect(violations(["Low/A.swift": "// B\nstruct A { let b = \"B\" }", "High/B.swift": "struct B {}"]).isEmpty)
    }

    @Test func theRootIsAFolder() {
        #expect(violations(["High/A.swift": "struct A { let b: B }", "B.swift": "struct B {}"]).count == 1)
        #expect(violations(["Top/A.swift": "struct A { let b: B }", "B.swift": "struct B {}"]).isEmpty)
    }

    @Test func functionsThatAFolderAboveAddsToATypeFromBelow() {
        let extended = "extension A { func decorate() {} }"
        let files = ["Low/A.swift": "struct A { func f() { decorate() } }", "High/B.swift": extended]
        #expect(violations(files).count == 1)
        let calls = ["Low/A.swift": "struct A {}", "High/B.swift": extended, "Top/C.swift": "let c = A().decorate()"]
        #expect(violations(calls).isEmpty)
        // If both folders declare a name, the call may mean either.
        let own = "struct A { func f() { decorate() } func decorate() {} }"
        #expect(violations(["Low/A.swift": own, "High/B.swift": extended]).isEmpty)
    }

    @Test func initializersThatAFolderAboveAddsToATypeFromBelow() {
        let extended = "extension A { init(high: Int) {} }"
        let files = ["Low/A.swift": "struct A { init(low: Int) {} }", "High/B.swift": extended]
        let calls = { (call: String) in files.merging(["Low/C.swift": "let a = \(call)"]) { $1 } }
        #expect(violations(calls("A(high: 1)")).count == 1)
        #expect(violations(calls("A(low: 1)")).isEmpty)
        #expect(violations(files.merging(["Top/C.swift": "let a = A(high: 1)"]) { $1 }).isEmpty)
    }

    @Test func namesThatTwoFoldersShareAreDistinguishedByTheirFirstLabel() {
        let files = [
            "Low/A.swift": "struct A { func add(low: Int) {} }",
            "High/B.swift": "extension A { func add(high: Int) {} }",
        ]
        let calls = { (call: String) in files.merging(["Low/C.swift": "let a = A().\(call)"]) { $1 } }
        #expect(violations(calls("add(high: 1)")).count == 1)
        #expect(violations(calls("add(low: 1)")).isEmpty)
    }

    @Test func aFolderThatIsNotInTheList() {
        #expect(violations(["Cellar/A.swift": "struct A {}"]).count == 1)
    }

    @Test func theTable() {
        let files = ["Low/A.swift": "struct A {}", "High/B.swift": "struct B { let a: A }"]
        let table = LayerRules.table(module, files.map { SwiftSource(path: "Sources/M/" + $0.key, text: $0.value) })
        #expect(table == ["Top → nothing", "the root → nothing", "High → Low 1", "Low → nothing"])
    }
}
