import Testing

@Suite struct ScannerTests {
    @Test(arguments: [
        ("let a = 1 // sleep()", "let a = 1"),
        ("a /* b /* c */ d */ e", "a                   e"),
        ("print(\"sleep()\") + b", "print(\"       \") + b"),
        (#"f("a\"b") + c"#, #"f("    ") + c"#),
        (#"f("x\(g("y") + h)z") + c"#, #"f("  (g(" ") + h) ") + c"#),
        (##"f(#"a"b\("#) + c"##, ##"f(#"     "#) + c"##),
        (##"f(#"a\#(b)"#) + c"##, ##"f(#"   (b)"#) + c"##),
        (#"f("\\") + c"#, #"f("  ") + c"#),
        ("f(\"\") + c", "f(\"\") + c"),
        ("f(\"// no comment\") + c", "f(\"             \") + c"),
        ("let r = #/a\"b/# + c", "let r = #/   /# + c"),
        ("#if DEBUG", "#if DEBUG"),
    ])
    func codeViewHasNeitherCommentsNorLiterals(text: String, code: String) {
        let seen = SwiftSource(path: "A.swift", text: text).code
        #expect(seen.utf8.count == text.utf8.count)
        #expect(String(seen.reversed().drop { $0 == " " }.reversed()) == code)
    }

    @Test func multilineLiteralsKeepTheirLineBreaks() {
        let text = "let a = \"\"\"\n    sleep(\"x\") \\(b)\n    \"\"\"\nlet c = 1"
        let source = SwiftSource(path: "A.swift", text: text)
        #expect(source.code == "let a = \"\"\"\n                (b)\n    \"\"\"\nlet c = 1")
        #expect(source.literals == [SwiftScanner.Literal(line: 1, text: "\n    sleep(\"x\") \\(b)\n    ")])
    }

    @Test func literalsInInterpolationsAreFoundToo() {
        let source = SwiftSource(path: "A.swift", text: "\n\"a\\(f(\"b\"))\"")
        #expect(source.literals.map(\.text) == ["b", "a\\(f(\"b\"))"])
        #expect(source.literals.map(\.line) == [2, 2])
    }

    @Test func anUnclosedLiteralEndsWithItsLine() {
        #expect(SwiftSource(path: "A.swift", text: "f(\"abc\ng()").code == "f(\"   \ng()")
    }

    @Test func commentViewHasCommentsAlone() {
        let source = SwiftSource(path: "A.swift", text: "a() // é, why\nb(\"// no\") /* yes\n*/")
        #expect(source.comments == "    // é, why\n           /* yes\n*/")
    }

    @Test func imports() {
        let text = """
            import A
            @testable import B
            import struct C.D
            @_exported import E // why
            // import F
            let importance = 1
            """
        let imports = SwiftSource(path: "A.swift", text: text).imports
        #expect(imports.map(\.module) == ["A", "B", "C", "E"])
        #expect(imports.map(\.line) == [1, 2, 3, 4])
    }

    @Test func documentationIsReadPastAttributes() {
        let source = SwiftSource(
            path: "A.swift", text: "let a = 1\n/// One.\n/// - Delivery: two.\n@inlinable\nfunc f() {}")
        #expect(source.documentation(above: 5) == ["/// One.", "/// - Delivery: two."])
        #expect(source.documentation(above: 1) == [])
    }

    @Test func linesAreCountedWithoutTheClosingBreak() {
        #expect(SwiftSource(path: "A.swift", text: "a\nb\n").lineCount == 2)
        #expect(SwiftSource(path: "A.swift", text: "a\nb").lineCount == 2)
        #expect(TextFile(path: "A.md", text: "a\nb\n").lineCount == 2)
        #expect(TextFile(path: "A.md", text: "a\n\nb").lineCount == 3)
    }

    @Test func ignorePatterns() {
        #expect(TextFile.glob(".build/", matches: ".build"))
        #expect(TextFile.glob(".build-*/", matches: ".build-tsan"))
        #expect(TextFile.glob("*.sqlite", matches: "m.sqlite"))
        #expect(!TextFile.glob("*.sqlite", matches: "m.sqlite.swift"))
        #expect(!TextFile.glob(".build/", matches: "Xbuild"))
    }
}
