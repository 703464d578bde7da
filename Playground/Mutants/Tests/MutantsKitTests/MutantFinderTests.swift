import Testing

@testable import MutantsKit

/// Source in, mutated source out, for each kind of mutant.
@Suite("The switch is inserted into a source") struct MutantFinderTests {
    /// Wraps a statement in a function, mutates it with numbers from 1, and returns the mutated statement.
    private func mutated(_ statement: String, dropping dropped: Set<Int> = []) -> String {
        let source = SourceFile(path: "Sources/A/B.swift", text: "func f() {\n\(statement)\n}\n", first: 1)
        let text = source.mutated(dropping: dropped)
        #expect(text.hasPrefix("func f() {\n") && text.hasSuffix("\n}\n"))
        return String(text.dropFirst(11).dropLast(3))
    }

    @Test(
        "A condition is negated without a copy of it",
        arguments: [
            ("if a { }", "if mutant_not(1, a) { }"),
            ("guard a else { return }", "guard mutant_not(1, a) else { return }"),
            ("while let b, try a(b) { }", "while let b, mutant_not(1, try a(b)) { }"),
            ("for x in y where !x { }", "for x in y where mutant_not(1, !x) { }"),
            ("let x = a ? b : c", "let x = mutant_not(1, a) ? b : c"),
            ("repeat { } while a", "repeat { } while mutant_not(1, a)"),
            ("let x = a == b", "let x = mutant_not(1, a == b)"),
            ("if a === b { }", "if mutant_not(1, a === b) { }"),
        ])
    func negated(statement: String, expected: String) {
        #expect(mutated(statement) == expected)
    }

    @Test(
        "A bound is off by one",
        arguments: [
            ("if a < b { }", "if mutant_not(1, mutant_bool(mutant_at(2) ? a <= b : a < b)) { }"),
            ("if a >= 5 { }", "if mutant_not(1, mutant_bool(mutant_at(2) ? a > 5 : a >= 5)) { }"),
            ("let r = 0..<count", "let r = 0..<((count) + (mutant_at(1) ? 1 : 0))"),
            ("let r = a...b.c", "let r = a...((b.c) - (mutant_at(1) ? 1 : 0))"),
            ("let r = x[n...]", "let r = x[((n) + (mutant_at(1) ? 1 : 0))...]"),
            ("let r = x[..<n]", "let r = x[..<((n) + (mutant_at(1) ? 1 : 0))]"),
            ("let x = a + 1", "let x = a + (mutant_at(1) ? 0 : 1)"),
            ("let x = a - 1", "let x = a - (mutant_at(1) ? 0 : 1)"),
        ])
    func bound(statement: String, expected: String) {
        #expect(mutated(statement) == expected)
    }

    @Test(
        "A number is one more, unless a mutant of another kind does the same",
        arguments: [
            ("let x = 0", "let x = (mutant_at(1) ? 1 : 0)"), ("let x = 1 + a", "let x = (mutant_at(1) ? 2 : 1) + a"),
            ("let x = -1", "let x = (mutant_at(1) ? 0 : -1)"),
            ("let x = pair.0", "let x = pair.0"), ("let x = 0xFF", "let x = 0xFF"),
            ("let x = \"\\(5)\"", "let x = \"\\(5)\""),
            ("let x = 9_000_000_000", "let x = 9_000_000_000"),
        ])
    func number(statement: String, expected: String) {
        #expect(mutated(statement) == expected)
    }

    @Test("&& and || are exchanged, and the right side is still evaluated only if the left one does not decide")
    func exchanged() {
        #expect(mutated("let x = a && b") == "let x = mutant_not(1, mutant_not(1, a) && mutant_not(1, b))")
        #expect(
            mutated("let x = a || b && c")
                == "let x = mutant_not(1, mutant_not(1, a) || mutant_not(1, mutant_not(2, mutant_not(2, b) && "
                + "mutant_not(2, c))))")
    }

    @Test(
        "true and false are exchanged, but not in an endless loop",
        arguments: [
            ("return true", "return (mutant_at(1) ? false : true)"),
            ("let x = false", "let x = (mutant_at(1) ? true : false)"),
            ("while true { }", "while true { }"),
        ])
    func flipped(statement: String, expected: String) {
        #expect(mutated(statement) == expected)
    }

    @Test("Statements without a value are left out, and two neighbours exchanged")
    func statements() {
        #expect(
            mutated("a = b\ntry c()")
                == "if mutant_at(1) { try c() }; if !mutant_at(2) { a = b }\n"
                + "if !mutant_at(1) { if !mutant_at(3) { try c() } }")
        #expect(mutated("a += b") == "if !mutant_at(1) { a += b }")
        #expect(mutated("a {\n b = c; d = e\n}\nf()").hasPrefix("if !mutant_at(1) { a {"))
        #expect(mutated("let a = b()\nreturn a") == "let a = b()\nreturn a")
    }

    @Test("A body's value is not a statement")
    func value() {
        for text in [
            "func f() -> Int { g() }", "var x: Int { g() }", "var x: Int { get { g() } }",
            "func f() -> Int { switch a { case .b: g() } }", "func f() -> Int { if let a { g() } else { h() } }",
        ] {
            #expect(SourceFile(path: "A/B/C.swift", text: text, first: 1).mutants.isEmpty, "\(text)")
        }
        #expect(SourceFile(path: "A/B/C.swift", text: "func f() { g() }", first: 1).mutants.count == 1)
    }

    @Test("A closure of one expression returns it, unless its label or its function says that it returns nothing")
    func closure() {
        #expect(mutated("let x = y.map { z($0) }") == "let x = y.map { z($0) }")
        #expect(mutated("let x = A(cancel: { b.c() })") == "let x = A(cancel: { if !mutant_at(1) { b.c() } })")
        #expect(
            mutated("let x = y.withLock { $0 = nil }")
                == "let x = y.withLock(leftEarly: 1) { if !mutant_at(2) { $0 = nil } }")
    }

    @Test("The first assignment to a variable stays, too")
    func unassigned() {
        #expect(mutated("let x: Int\nx = y()") == "let x: Int\nx = y()")
    }

    @Test("A property's first value stays, or nothing would compile")
    func initialization() {
        let text = "init(a: A) { self.a = a\n b = a\n (c, d) = (a, a)\n if let a { e = a } }"
        #expect(SourceFile(path: "A/B/C.swift", text: text, first: 1).mutants.isEmpty)
    }

    @Test("Cancels and releases are a separate kind")
    func released() {
        for statement in ["x = nil", "x?.cancel()", "x.y.removeAll()", "_ = x", "x.cancelled()"] {
            let source = SourceFile(path: "A/B/C.swift", text: "func f() { \(statement) }", first: 1)
            let isOther = statement.hasPrefix("_") || statement.hasSuffix("cancelled()")
            #expect(source.mutants.map(\.kind) == [isOther ? .leftOut : .released])
        }
    }

    @Test("An early exit is left out if code follows it")
    func returned() {
        #expect(
            mutated("if let a { return }\nif let b { throw c }\nif let d { return }")
                == "if let a { if !mutant_at(1) { return } }\nif let b { if !mutant_at(2) { throw c } }\n"
                + "if let d { return }"
        )
        #expect(
            mutated("for a in b { if let c { continue } }")
                == "for a in b { if let c { if !mutant_at(1) { continue } } }")
        #expect(mutated("guard let a else { return }\ng = a").hasPrefix("guard let a else { return }\n"))
    }

    @Test("A failure becomes a normal end")
    func terminal() {
        #expect(mutated("let x = y(.failure(e))") == "let x = y((mutant_at(1) ? .finished : .failure(e)))")
        #expect(
            mutated("sink.fail(e)")
                == "if !mutant_at(1) { (mutant_at(2) ? sink.finish() : sink.fail(e)) }")
    }

    @Test("A call skips its lock, by a parameter that is added to the lock's declaration")
    func unlocked() {
        #expect(mutated("let x = a.withLock { $0 }") == "let x = a.withLock(leftEarly: 1) { $0 }")
        #expect(mutated("let x = a.withLock({ $0 })") == "let x = a.withLock(leftEarly: 1, { $0 })")
        let text = "func withLock(_ body: B) -> C { p_lock(l); defer { p_unlock(l) }; return body() }"
        let lock = SourceFile(path: "A/B/C.swift", text: text, first: 1).mutated(dropping: [1, 2])
        #expect(
            lock == "func withLock(leftEarly mutant: Int32 = 0, _ body: B) -> C { if !mutant_at(mutant) { p_lock(l) }; "
                + "defer { if !mutant_at(mutant) { p_unlock(l) } }; return body() }")
    }

    @Test("An order is reversed, by its operator or by its name")
    func swapped() {
        #expect(
            mutated("let x = y.sorted { $0 < $1 }")
                == "let x = y.sorted { mutant_bool(mutant_at(1) ? $0 <= $1 : "
                + "mutant_bool(mutant_at(2) ? $0 > $1 : $0 < $1)) }"
        )
        #expect(mutated("let x = min(a, b)") == "let x = (mutant_at(1) ? max(a, b) : min(a, b))")
        #expect(mutated("let x = y(.descending)") == "let x = y((mutant_at(1) ? .ascending : .descending))")
    }

    @Test("Code that does not run, or only on another platform, is left unchanged")
    func untouched() {
        for text in [
            "#if os(Linux)\nlet a = 1\n#endif", "@available(macOS 15, *) func f(a: Int = 1, b: Bool = true) {}",
            "enum E: Int { case a = 1 }", "func f() { switch a { case 0: return; case 1...5: break; default: break } }",
            "let s = \"\\(a == b ? 1 : 2)\"", "let p = \\A.b[1]", "let m = #line + a",
        ] {
            #expect(SourceFile(path: "A/B/C.swift", text: text, first: 1).mutants.isEmpty, "\(text)")
        }
    }

    @Test("No mutant moves a line, whichever are dropped")
    func lines() {
        let text = "func f() {\n    if a < b,\n        c {\n        d = nil\n        e(1, true)\n    }\n}\n"
        for dropped in [[], [1], [2, 3], Set(1...20)] {
            let source = SourceFile(path: "A/B/C.swift", text: text, first: 1)
            let lines = source.mutated(dropping: dropped, importing: "M").split(separator: "\n")
            #expect(lines.count == 7 && lines[0].hasPrefix("import M; func f()") && lines[4].contains("e("))
        }
        let all = SourceFile(path: "A/B/C.swift", text: text, first: 1)
        #expect(all.mutated(dropping: Set(all.mutants.map(\.number))) == text)
    }
}
