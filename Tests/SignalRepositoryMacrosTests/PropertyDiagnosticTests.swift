#if Macros
    import Testing

    @Suite("The diagnostics of @Entity about a property") struct PropertyDiagnosticTests {
        /// Expands a struct with these properties, which begin on the third line.
        private func film(_ properties: String) -> Expansion {
            Expansion("@Entity struct Film {\n    let id: Int\n    \(properties)\n}")
        }

        @Test(
            "Each mistake is reported at its position",
            arguments: [
                (
                    "let year: Int = 1996",
                    "3:9: `year` is a `let` with a value, so no row can give it another one: make it a `var`, or "
                        + "`static`."
                ),
                (
                    "@Computed(\"1\") var sum: Int\n    var other: Int",
                    "3:24: `sum` is computed by the store: move it after the properties that are not."
                ),
                (
                    "var tags: [String]",
                    "3:9: `tags` is an array, which a column stores as JSON text: mark it with @JSON."
                ),
                (
                    "var tags: [String]?",
                    "3:9: `tags` is an array, which a column stores as JSON text: mark it with @JSON."
                ),
                (
                    "var a: Array<Int>, b: Int",
                    "3:9: `a` is an array, which a column stores as JSON text: mark it with @JSON."
                ),
                (
                    "var tags = [1, 2]",
                    "3:9: `tags` is an array, which a column stores as JSON text: mark it with @JSON."
                ),
                (
                    "var names: [Int: String]",
                    "3:9: `names` is a dictionary, which a column stores as JSON text: mark it with @JSON."
                ),
                (
                    "var tags: Optional<Set<Int>>",
                    "3:9: `tags` is a set, which a column stores as JSON text: mark it with @JSON."
                ),
                (
                    "@Indexed var size: (Int, Int)",
                    "3:18: `size` is a tuple, which no column can store: make it a Codable struct, and mark it with "
                        + "@JSON."
                ),
                ("@JSON var work: (() -> Void)?", "3:15: `work` is a function, which no column can store."),
                ("var (a, b): (Int, Int)", "3:9: A column has one name: declare each property by itself."),
                (
                    "private lazy var poster = 1",
                    "3:13: `poster` is lazy, so reading it would change the item that is being stored: remove `lazy`, "
                        + "or make it computed."
                ),
                (
                    "@Indexed var age: Int { 1 }",
                    "3:5: `age` is computed and has no column, so @Indexed does nothing."
                ),
                ("@Unique static var age = 1", "3:5: `age` is static and has no column, so @Unique does nothing."),
                ("@Indexed @Indexed var age: Int", "3:14: @Indexed is repeated."),
                (
                    "@JSON @Scale(2) var a: Decimal",
                    "3:11: @JSON and @Scale exclude each other: JSON text has no decimal places."
                ),
                (
                    "@JSON @Dimensions(3) var a: Vector",
                    "3:11: @JSON and @Dimensions exclude each other: JSON text has no dimensions."
                ),
                (
                    "@References(Team.self) @JSON var a: Int",
                    "3:28: @References and @JSON exclude each other: a reference is an id, which is stored as it is."
                ),
                (
                    "@Created @Updated var a: Date",
                    "3:14: @Created and @Updated exclude each other: one is the time of the first write, the other of "
                        + "the last."
                ),
                ("@Scale(2) var a: Int", "3:5: @Scale sets the decimal places of a Decimal, and `a` is an Int."),
                (
                    "@Scale(2) var a: Double?",
                    "3:5: @Scale sets the decimal places of a Decimal, and `a` is a Double."
                ),
                ("@Scale(2) var a = 0.5", "3:5: @Scale sets the decimal places of a Decimal, and `a` is a Double."),
                ("@Scale(19) var a: Decimal", "3:12: A Decimal has 0 to 18 decimal places, not 19."),
                ("@Scale(-1, rounding: .up) var a: Decimal", "3:12: A Decimal has 0 to 18 decimal places, not -1."),
                (
                    "@Clamped(0...1) var a: Double",
                    "3:5: @Entity does not know what @Clamped does to a stored property: remove it, or declare the "
                        + "schema by hand."
                ),
                (
                    "@Clamped var a, b: Double",
                    "3:5: @Entity does not know what @Clamped does to a stored property: remove it, or declare the "
                        + "schema by hand."
                ),
                ("@Named(\"\\(1)\") var a: Int", "3:12: @Entity needs the name as a literal: write it in quotes."),
                ("@Named(\"\") var a: Int", "3:12: A column must have a name."),
                (
                    "@Named(\"ID\") var a: Int",
                    "3:12: `a` and `id` have the same column, \"ID\", because SQLite ignores the case of ASCII "
                        + "letters."
                ),
                ("@Named(\"id\") var a: Int", "3:12: `a` and `id` have the same column, \"id\"."),
                (
                    "#if DEBUG\nvar a: Int\n#endif",
                    "3:5: @Entity cannot evaluate `#if`, and a table has the same columns in every build. Move the "
                        + "`#if` into a computed property, or declare the schema by hand."
                ),
                (
                    "@Indexed func age() {}",
                    "3:5: @Indexed does nothing here: it marks a stored property of a struct with @Entity."
                ),
            ])
        func mistakes(property: String, problem: String) {
            let expansion = film(property)
            #expect(expansion.problems == [problem])
            #expect(expansion.written.isEmpty || problem.contains("does nothing here"))
        }

        @Test("Names that differ in the case of non-ASCII letters are distinct, as in SQLite")
        func casesOfOtherLetters() {
            #expect(
                film("var größe: Int\n@Named(\"GRÖSSE\") var b: Int\n@Named(\"Ä\") var c: Int\nvar ä: Int").problems
                    == [])
        }

        @Test("All mistakes are reported at once")
        func severalMistakes() {
            let problems = film("let year = 1996\nvar tags: [String]\n@Scale(20) var a: Decimal").problems
            #expect(problems.map { String($0.prefix { $0 != ":" }) } == ["3", "4", "5"])
        }

        @Test(
            "A fix-it makes the change that its message describes",
            arguments: [
                ("let year: Int = 1996", "Make it a `var`", "var year: Int = 1996"),
                ("public let year: Int = 1996", "Make it `static`", "public static let year: Int = 1996"),
                ("let year: Int = 1996", "Make it `static`", "static let year: Int = 1996"),
                (
                    "/// Words.\n    public var tags: [String]  // a", "Mark it with @JSON",
                    "/// Words.\n    @JSON public var tags: [String]  // a"
                ),
                ("@Indexed var tags: [String]", "Mark it with @JSON", "@JSON @Indexed var tags: [String]"),
                ("lazy var poster = 1", "Remove `lazy`", "var poster = 1"),
                ("private lazy var poster = 1", "Remove `lazy`", "private var poster = 1"),
                ("@Indexed var age: Int { 1 }", "Remove @Indexed", "var age: Int { 1 }"),
                ("@Indexed @Unique @Indexed var age: Int", "Remove @Indexed", "@Indexed @Unique var age: Int"),
                ("@Scale(2) var a: Int", "Remove @Scale", "var a: Int"),
                ("@JSON @Scale(2) var a: Int", "Remove @JSON", "@Scale(2) var a: Int"),
            ])
        func fixes(property: String, fix: String, fixed: String) {
            #expect(film(property).fixes[fix] == "@Entity struct Film {\n    let id: Int\n    \(fixed)\n}")
        }

        @Test("A marker in a struct without @Entity does nothing, and a diagnostic reports that")
        func strayMarker() {
            let expansion = Expansion("struct Film {\n    @Indexed var title: String\n}")
            #expect(
                expansion.problems
                    == ["2:5: @Indexed does nothing here: it marks a stored property of a struct with @Entity."])
            #expect(expansion.fixes["Remove @Indexed"] == "struct Film {\n    var title: String\n}")
        }
    }
#endif
