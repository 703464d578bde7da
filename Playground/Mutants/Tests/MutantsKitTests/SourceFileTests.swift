import Testing

@testable import MutantsKit

@Suite("Mutants are described, and found by compiler messages") struct SourceFileTests {
    @Test("A mutant shows its line, without and with the change")
    func description() throws {
        let source = SourceFile(
            path: "Sources/Signals/Internal/Kernels/A.swift", text: "func f() {\n  if a { b() }\n  if a { b() }\n}",
            first: 7)
        #expect(source.mutants.map(\.number) == [7, 8, 9, 10])
        #expect(source.mutants.map(\.line) == [2, 2, 3, 3])
        #expect(source.mutants[0].before == "if a { b() }" && source.mutants[0].after == "if !a { b() }")
        #expect(source.mutants[1].after == "if a { }")
        #expect(source.mutants.map(\.occurrence) == [0, 0, 1, 1])
        let many = SourceFile(path: "A", text: "let a = [\n5,\n5,\n5,\n5]", first: 1)
        #expect(many.mutants.map(\.occurrence) == [0, 1, 2, 0])
        #expect(source.mutants[0].room == "Signals/Internal")
        let swapped = SourceFile(path: "A/B.swift", text: "func f() {\n a()\n b()\n}", first: 1).mutants[0]
        #expect(swapped.before == "a(); b()" && swapped.after == "b(); a()")
        #expect(SourceFile(path: "A/B.swift", text: "func f() {\n a()\n}", first: 1).mutants[0].after == "(left out)")
    }

    @Test("A mutant's key stays the same when lines are added before it")
    func key() {
        let text = "func f() { a() }"
        let (old, new) = (
            SourceFile(path: "A", text: text, first: 1), SourceFile(path: "A", text: "let x = 5\n" + text, first: 1)
        )
        #expect(old.mutants[0].key == new.mutants[1].key && old.mutants[0].line != new.mutants[1].line)
    }

    private func column(of word: String, in line: Substring) throws -> Int {
        line.distance(from: line.startIndex, to: try #require(line.firstRange(of: word)).lowerBound) + 1
    }

    @Test("A message in inserted text means only that mutant")
    func addition() throws {
        let source = SourceFile(path: "A", text: "func f() {\nlet x = a < b && c\n}", first: 1)
        let line = source.mutated(dropping: []).split(separator: "\n")[1]
        for (number, word) in [(1, "mutant_not(1"), (2, "a <= b"), (3, "a > b")] {
            let column = try column(of: word, in: line)
            #expect(source.suspects(line: 2, column: column, dropping: []) == [number], "\(word)")
        }
    }

    @Test("A message in the source's own text means the narrowest mutants around it")
    func around() throws {
        let source = SourceFile(path: "A", text: "func f() {\ng(a == b, 5)\n}", first: 1)
        let line = source.mutated(dropping: [], importing: "M").split(separator: "\n")[1]
        let column = try column(of: "a == b", in: line)
        #expect(source.suspects(line: 2, column: column, dropping: [], importing: "M") == [2])
        #expect(source.suspects(line: 2, column: column - 13, dropping: [2], importing: "M") == [1])
    }

    @Test("A message about a whole body means its statements, then all of it, and then the whole file")
    func body() {
        let source = SourceFile(path: "A", text: "let y = 5\nfunc f() {\n g(1)\n}", first: 1)
        #expect(source.mutants.map(\.kind) == [.number, .leftOut, .number])
        #expect(source.suspects(line: 4, column: 1, dropping: []) == [2])
        #expect(source.suspects(line: 4, column: 1, dropping: [2]) == [3])
        #expect(source.suspects(line: 4, column: 1, dropping: [2, 3]) == [1])
        #expect(source.suspects(line: 4, column: 1, dropping: [1, 2, 3]).isEmpty)
    }

    @Test("Messages are read from the compiler's output")
    func messages() {
        let output = """
            [3/9] Compiling A
            /p/q/Sources/A/B.swift:12:5: error: cannot convert value
            /p/q/Sources/A/B.swift:12:5: error: cannot convert value
            /p/q/Sources/A/B.swift:13:5: warning: unused
            /elsewhere/B.swift:1:1: error: no
            error: fatalError
            """
        #expect(
            Builder.messages(output, in: "/p/q")
                == [Builder.Message(path: "Sources/A/B.swift", line: 12, column: 5)])
    }
}
