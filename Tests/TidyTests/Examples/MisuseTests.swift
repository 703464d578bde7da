import Testing

/// What a person may get wrong about a model does not compile, and the compiler says what `Modelling.md` says it does.
@Suite struct MisuseTests {
    private static let wrong: [(schema: [String], message: String)] = [
        (
            [
                "Schema<Play> {", "Column(\"id\", \\.id)", "Column(\"title\", \\.titel)",
                "} decode: { _ in fatalError() }",
            ],
            "value of type 'Play' has no member 'titel'"
        ),
        (
            [
                "Schema<Play> {", "Column(\"id\", \\.id)", "} decode: { row in",
                "try Play(id: row.next(), title: row.next())", "}",
            ],
            "missing argument for parameter 'year' in call"
        ),
        (
            [
                "Schema<Play> {", "Column(\"id\", \\.id)", "} decode: { row in",
                "try Play(id: row.next(), year: row.next(), title: row.next())", "}",
            ], "argument 'title' must precede argument 'year'"
        ),
        (
            ["Schema<Play> {", "Column(\"id\", \\.id, .default(\"one\"))", "} decode: { _ in fatalError() }"],
            "cannot convert value of type 'String' to expected argument type 'Int'"
        ),
        (
            ["Schema<Play> {", "Column(\"odd\", \\.odd)", "} decode: { _ in fatalError() }"],
            "no column holds this type: make it a ColumnValue, or declare it with json:"
        ),
        (
            [
                "Schema(",
                "Column(\"a\", \\Play.id), Column(\"b\", \\.id), Column(\"c\", \\.id), Column(\"d\", \\.id),",
                "Column(\"e\", \\.id), Column(\"f\", \\.id), Column(\"g\", \\.id),",
                "make: { a, b, c, d, e, f, g in Play(id: a, title: \"\", year: b) })",
            ], "more than six columns are declared in braces: Schema { … } decode: { row in … }"
        ),
    ]

    @Test(arguments: wrong.indices)
    func misuseIsNamed(_ index: Int) throws {
        let (schema, message) = Self.wrong[index]
        let code =
            [
                "import SignalRepository", "struct Play: Entity {", "let id: Int", "var title: String", "var year: Int",
                "var odd: [Int] { [] }", "static let schema = \(schema[0])",
            ] + schema.dropFirst() + ["}"]
        let compiler = try ExampleCompiler()
        defer { #expect(throws: Never.self) { try compiler.removeFolder() } }
        let errors = try compiler.errors(in: [Example(path: "A.md", line: 1, code: code)])
        #expect(errors.contains { $0.contains(message) }, "\(errors)")
        let guide = try #require(Project.markdown.first { $0.path.hasSuffix("Modelling.md") })
        #expect(guide.text.contains(message.replacing("type 'Play'", with: "type 'Film'")) || index == 3)
    }
}
