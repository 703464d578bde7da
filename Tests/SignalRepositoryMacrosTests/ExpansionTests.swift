#if Macros
    import Testing

    @Suite("The expansion of @Entity") struct ExpansionTests {
        @Test("Each stored property becomes a column, and a row is read in the same order")
        func plain() {
            let source = """
                @Entity
                struct Film: Equatable {
                    let id: UUID
                    var title: String
                }
                """
            let expected = """
                extension Film: Entity {
                    static let schema = Schema<Film> {
                        Column("id", \\.id)
                        Column("title", \\.title)
                    } decode: { row in
                        try Film(id: row.next(), title: row.next())
                    }
                }
                """
            #expect(Expansion(source).written == expected)
            #expect(Expansion(source).problems == [])
        }

        @Test(
            "A marker is an option of the column",
            arguments: [
                ("@Indexed var a: Int", #"Column("a", \.a, .indexed)"#),
                ("@Unique var a: Int", #"Column("a", \.a, .unique)"#),
                ("@Default(3) var a: Int", #"Column("a", \.a, .default(3))"#),
                ("@Default(Genre.drama) var a: Genre", #"Column("a", \.a, .default(Genre.drama))"#),
                ("@Scale(2) var a: Decimal", #"Column("a", \.a, .scale(2))"#),
                ("@Scale(0) var a: Foundation.Decimal?", #"Column("a", \.a, .scale(0))"#),
                ("@Scale(2, rounding: .bankers) var a: Decimal", #"Column("a", \.a, .scale(2, rounding: .bankers))"#),
                ("@Scale(places) var a: Money", #"Column("a", \.a, .scale(places))"#),
                ("@Dimensions(384) var a: Vector?", #"Column("a", \.a, .dimensions(384))"#),
                ("@References(Team.self) var a: UUID", #"Column("a", \.a, .references(Team.self))"#),
                (
                    "@References(Team.self, onDelete: .cascade) var a: UUID?",
                    #"Column("a", \.a, .references(Team.self, onDelete: .cascade))"#
                ),
                ("@JSON var a: [String]", #"Column("a", json: \.a)"#),
                ("@Default([]) @JSON var a: [String]", #"Column("a", json: \.a, .default([]))"#),
                ("@Named(\"b c\") var a: Int", #"Column("b c", \.a)"#),
                ("@Generated var a: Int", #"Column("a", \.a, .generated)"#),
                ("@Created var a: Date", #"Column("a", \.a, .created)"#),
                ("@Updated var a: Date", #"Column("a", \.a, .updated)"#),
                ("@Computed(\"1 + 1\") var a: Int", #"Column("a", \.a, computedBy: "1 + 1")"#),
                (
                    "@Computed(#\"\"b\" || 'c'\"#) @Indexed var a: String",
                    ##"Column("a", \.a, .indexed, computedBy: #""b" || 'c'"#)"##
                ),
                ("@Indexed @Default(0) var a: Int", #"Column("a", \.a, .indexed, .default(0))"#),
                ("@SignalRepositoryMacros.Indexed var a: Int", #"Column("a", \.a, .indexed)"#),
                ("@available(macOS 15, *) @Indexed public var a: Int", #"Column("a", \.a, .indexed)"#),
            ])
        func markers(property: String, column: String) {
            let expansion = Expansion("@Entity\nstruct Film {\n    let id: Int\n    \(property)\n}")
            #expect(expansion.problems == [])
            #expect(expansion.written.split(separator: "\n").dropFirst(3).first?.drop { $0 == " " } ?? "" == column)
        }

        @Test("The schema takes its clauses from a static property of the struct")
        func clauses() {
            let source = """
                @Entity
                struct Film {
                    let id: Int
                    static let clauses: [TableClause<Film>] = [.check("id") { $0.id > 0 }]
                }
                """
            #expect(Expansion(source).written.contains("static let schema = Schema<Film>(clauses: clauses) {"))
            let other = Expansion("@Entity struct Film { let id: Int; func clauses() {} }")
            #expect(!other.written.contains("clauses") && other.problems == [])
        }

        @Test(
            "Every form of a stored property becomes a column, and no other member does",
            arguments: [
                ("let a: Int, b: String", "a b"), ("let a, b: Int", "a b"), ("var a = 0", "a"), ("var a: Int = 0", "a"),
                ("var a: Int { didSet { print(a) } }", "a"), ("var a = 0 { willSet {} }", "a"),
                ("var a: Int { 1 }", ""), ("var a: Int { get { 1 } set {} }", ""), ("static let a = 1", ""),
                ("static var a: [Int] = []", ""), ("private var a: Int", "a"), ("private(set) var a: Int", "a"),
                ("func a() {}", ""), ("struct A { var b: Int }", ""), ("var größe: Int", "größe"),
                ("var 長さ: Int", "長さ"),
                ("#if DEBUG\nfunc a() {}\nvar b: Int { 1 }\n#endif", ""), ("#if DEBUG\nstatic let a = 1\n#endif", ""),
            ])
        func properties(_ property: String, columns: String) {
            let expansion = Expansion("@Entity struct Film {\n    let id: Int\n    \(property)\n}")
            let names = ["id"] + columns.split(separator: " ").map(String.init)
            #expect(expansion.problems == [])
            #expect(
                expansion.written.contains(
                    "try Film(" + names.map { "\($0): row.next()" }.joined(separator: ", ") + ")"))
            for name in names { #expect(expansion.written.contains("Column(\"\(name)\", \\.\(name))")) }
        }

        @Test("A name keeps its backticks only where Swift needs them")
        func backticks() {
            let source =
                "@Entity struct Film {\nlet id: Int\nvar `default`: Int\nvar `in`: Int\nvar `two words`: Int\n}"
            let expected = """
                extension Film: Entity {
                    static let schema = Schema<Film> {
                        Column("id", \\.id)
                        Column("default", \\.default)
                        Column("in", \\.in)
                        Column("two words", \\.`two words`)
                    } decode: { row in
                        try Film(id: row.next(), default: row.next(), in: row.next(), `two words`: row.next())
                    }
                }
                """
            #expect(Expansion(source).written == expected)
        }

        @Test("The table's name and the sets of columns are written as by hand")
        func arguments() {
            let source = """
                @Entity("films", unique: [["title", "studio"], ["id"]], indexed: [["studio"]])
                struct Film {
                    let id: Int
                    var title: String
                    var studio: String
                }
                """
            let expected = #"""
                extension Film: Entity {
                    static let entityName = "films"

                    static let schema = Schema<Film>(unique: [[\.title, \.studio], [\.id]], indexed: [[\.studio]]) {
                """#
            #expect(Expansion(source).written.hasPrefix(expected))
        }

        @Test("The searched columns are written after the sets")
        func search() {
            let source = """
                @Entity(indexed: [["title"]], search: ["title", "summary", "tags"])
                struct Film {
                    let id: Int
                    var title: String
                    var summary: String?
                    @JSON var tags: [String]
                }
                """
            let expected = #"""
                extension Film: Entity {
                    static let schema = Schema<Film>(indexed: [[\.title]], search: [\.title, \.summary, \.tags]) {
                """#
            #expect(Expansion(source).problems.isEmpty)
            #expect(Expansion(source).written.hasPrefix(expected))
            let none = Expansion("@Entity(search: []) struct Film { let id: Int }")
            #expect(none.problems.isEmpty && none.written.contains("static let schema = Schema<Film> {"))
        }

        @Test("Sets that do not fit on one line get a line each")
        func wideArguments() {
            let name = String(repeating: "title", count: 9)
            let source = """
                @Entity(unique: [["\(name)", "id"]], indexed: [["\(name)"]]) struct Film {
                    let id: Int
                    var \(name): String
                }
                """
            let expected = """
                extension Film: Entity {
                    static let schema = Schema<Film>(
                        unique: [[\\.\(name), \\.id]],
                        indexed: [[\\.\(name)]]
                    ) {
                        Column("id", \\.id)
                """
            #expect(Expansion(source).written.hasPrefix(expected))
        }

        @Test("The call that creates an item is wrapped at 120 characters")
        func wide() {
            let names = (1...12).map { "property\($0)" }
            let source = "@Entity struct Film {\n let id: Int\n" + names.map { "var \($0): Int\n" }.joined() + "}"
            let lines = Expansion(source).written.split(separator: "\n").drop { !$0.contains("try Film(") }
            #expect(lines.first == "        try Film(")
            #expect(lines.dropFirst().allSatisfy { $0.count <= 120 })
            let rest = lines.dropFirst().prefix { $0 != "    }" }.joined().split(separator: ",").map {
                $0.drop { $0 == " " }
            }
            #expect(
                rest == ["id: row.next()"] + names.map { "\($0): row.next()" }.dropLast() + ["property12: row.next())"])
        }

        @Test(
            "The members have the access level of the struct",
            arguments: [
                ("public struct Film", "public "), ("package struct Film", "package "), ("struct Film", ""),
                ("fileprivate struct Film", ""), ("private struct Film", ""),
            ])
        func access(head: String, access: String) {
            let expansion = Expansion("@Entity(\"f\") \(head) {\n@Key let code: String\n}")
            #expect(expansion.written.contains("    \(access)static let schema ="))
            #expect(expansion.written.contains("    \(access)static let entityName ="))
            #expect(expansion.written.contains("    \(access)var id: String { code }"))
        }

        @Test("A struct in an extension has the access level of the extension")
        func accessOfAnExtension() {
            let written = Expansion(
                "public extension League {\n    @Entity struct Team {\n        let id: Int\n    }\n}"
            ).written
            #expect(written.contains("    public static let schema = Schema<League.Team>"))
        }

        @Test("A nested struct is referred to by its full name")
        func nested() {
            let written = Expansion("enum League {\n    @Entity struct Team {\n        let id: Int\n    }\n}").written
            #expect(written.hasPrefix("extension League.Team: Entity {"))
            #expect(written.contains("try League.Team(id: row.next())"))
        }

        @Test("A conformance that is declared already is not declared again")
        func conformance() {
            let written = Expansion("@Entity struct Film: Entity {\nlet id: Int\n}", conforming: false).written
            #expect(written.hasPrefix("extension Film {\n"))
        }

        @Test("Initializers in the struct's braces are accepted if one takes every property in order")
        func initializers() {
            let source = """
                @Entity public struct Film {
                    public let id: Int
                    public var title: String
                    public init(id: Int, title: String) throws { (self.id, self.title) = (id, title) }
                    init(number: Int) throws { try self.init(id: number, title: "") }
                }
                """
            #expect(Expansion(source).problems == [])
        }
    }
#endif
