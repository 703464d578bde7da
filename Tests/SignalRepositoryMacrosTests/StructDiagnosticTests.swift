#if Macros
    import Testing

    @Suite("The diagnostics of @Entity about a struct") struct StructDiagnosticTests {
        @Test(
            "Each mistake is reported at its position",
            arguments: [
                (
                    "@Entity\npublic final class Film {\n    let id: Int\n}",
                    "2:14: @Entity can only be applied to a struct."
                ),
                (
                    "@Entity\nenum Film { case a }",
                    "2:1: @Entity can only be applied to a struct."
                ),
                (
                    "@Entity\nactor Film {}",
                    "2:1: @Entity can only be applied to a struct."
                ),
                (
                    "@Entity\nstruct Film<Value> {\n    let id: Value\n}",
                    "2:12: A generic struct cannot be an entity: a table has one set of columns, for one type."
                ),
                (
                    "enum Box<Value> {\n    @Entity struct Film { let id: Int }\n}",
                    "2:20: A struct in a generic type is generic too, and cannot be an entity: declare it outside."
                ),
                (
                    "enum Box {\n    @Entity private struct Film { let id: Int }\n}",
                    "2:13: The extension that @Entity writes cannot see a private nested struct: make it fileprivate."
                ),
                (
                    "@Entity\nstruct Film {\n    var title: String\n}",
                    "2:8: `Film` has no key: declare `id`, or mark a property with @Key."
                ),
                (
                    "@Entity\nstruct Film {\n    var code: Int\n    var id: Int { code }\n}",
                    "4:9: `id` is computed: mark the stored property that it returns with @Key."
                ),
                (
                    "@Entity\nstruct Film {\n    let id: Int\n    @Key var code: Int\n}",
                    "4:5: `id` is stored too, and items are found by it: remove @Key here, or rename `id`."
                ),
                (
                    "@Entity\nstruct Film {\n    @Key let id: Int\n    @Key let b: Int\n}",
                    "3:14: `id` is only a part of the key, and the id of an item is the whole key: rename the property."
                ),
                (
                    "@Entity\nstruct Film {\n    @Key let code: Int?\n}",
                    "3:14: `code` is a key, so it cannot be optional."
                ),
                (
                    "@Entity\nstruct Film {\n    let id: UUID?\n}",
                    "3:9: `id` is a key, so it cannot be optional."
                ),
                (
                    "@Entity\nstruct Film {\n    @Key var code = 1\n}",
                    "3:14: `id` gets the type of `code`: write that type, or declare `id`."
                ),
                (
                    "@Entity\nstruct Film {\n    let id: Int\n    var a: Int\n    public init(id: Int) {}\n}",
                    "5:12: An initializer in the struct's braces replaces the memberwise one, which reads rows: move "
                        + "it to an extension, or declare init(id:a:) here too."
                ),
                (
                    "@Entity\nstruct Film {\n    let id: Int\n    init?(id: Int) {}\n}",
                    "4:5: An initializer in the struct's braces replaces the memberwise one, which reads rows: move it "
                        + "to an extension, or declare init(id:) here too."
                ),
                (
                    "@Entity\nstruct Film {\n    let id: Int\n    static let schema = 1\n}",
                    "4:16: @Entity already declares `schema`: remove one of the two."
                ),
                (
                    "@Entity(\"films\")\nstruct Film {\n    let id: Int\n    static let entityName = \"Film\"\n}",
                    "4:16: @Entity already declares `entityName`: remove one of the two."
                ),
                (
                    "@Entity(unique: [[\"id\", \"titel\"]])\nstruct Film {\n    let id: Int\n}",
                    "1:25: `Film` has no stored property called `titel`."
                ),
                (
                    "@Entity(indexed: [[\"year\"]])\nstruct Film {\n    let id: Int\n    var year: Int { 1 }\n}",
                    "1:20: `Film` has no stored property called `year`."
                ),
                (
                    "@Entity(unique: sets)\nstruct Film {\n    let id: Int\n}",
                    "1:17: @Entity needs literal sets: write names in brackets, as in [[\"title\", \"studio\"]]."
                ),
                (
                    "@Entity(unique: [\"id\"])\nstruct Film {\n    let id: Int\n}",
                    "1:18: @Entity needs literal sets: write names in brackets, as in [[\"title\", \"studio\"]]."
                ),
                (
                    "@Entity(unique: [[]])\nstruct Film {\n    let id: Int\n}",
                    "1:18: A set must name at least one property."
                ),
                (
                    "@Entity(search: [\"titel\"])\nstruct Film {\n    let id: Int\n}",
                    "1:18: `Film` has no stored property called `titel`."
                ),
                (
                    "@Entity(search: texts)\nstruct Film {\n    let id: Int\n}",
                    "1:17: @Entity needs literal names: write them in brackets, as in [\"title\", \"summary\"]."
                ),
                (
                    "@Entity(search: [\"\\(name)\"])\nstruct Film {\n    let id: Int\n    var title: String\n}",
                    "1:18: @Entity needs literal names: write them in brackets, as in [\"title\", \"summary\"]."
                ),
                (
                    "@Entity(search: [[\"title\"]])\nstruct Film {\n    let id: Int\n    var title: String\n}",
                    "1:18: @Entity needs literal names: write them in brackets, as in [\"title\", \"summary\"]."
                ),
                (
                    "@Entity(search: [\"id\"])\nstruct Film {\n    let id: Int\n}",
                    "1:18: Only text can be searched, and `id` is an Int."
                ),
                (
                    "@Entity(search: [\"gross\"])\nstruct Film {\n    let id: Int\n    var gross: Decimal?\n}",
                    "1:18: Only text can be searched, and `gross` is a Decimal."
                ),
                (
                    "@Entity(search: [\"a\", \"a\"])\nstruct Film {\n    let id: Int\n    var a: String\n}",
                    "1:23: `a` is listed twice."
                ),
            ])
        func mistakes(source: String, problem: String) {
            let expansion = Expansion(source)
            #expect(expansion.problems == [problem])
            #expect(expansion.written.isEmpty)
        }

        @Test(
            "A fix-it makes the change that its message describes",
            arguments: [
                ("@Entity class Film { let id: Int }", "Make it a struct", "@Entity struct Film { let id: Int }"),
                (
                    "@Entity struct Film {\n    /// Words.\n    var title: String\n}", "Declare `let id: UUID`",
                    "@Entity struct Film {\n    let id: UUID\n    /// Words.\n    var title: String\n}"
                ),
                (
                    "@Entity struct Film {\n}", "Declare `let id: UUID`", "@Entity struct Film {\nlet id: UUID\n}"
                ),
                (
                    "enum Box {\n    @Entity private struct Film { let id: Int }\n}", "Make it fileprivate",
                    "enum Box {\n    @Entity fileprivate struct Film { let id: Int }\n}"
                ),
                (
                    "@Entity(unique: [[\"ID\"]]) struct Film { let id: Int }", "Write \"id\"",
                    "@Entity(unique: [[\"id\"]]) struct Film { let id: Int }"
                ),
                (
                    "@Entity(search: [\"Title\"]) struct Film { let id: Int; var title: String }", "Write \"title\"",
                    "@Entity(search: [\"title\"]) struct Film { let id: Int; var title: String }"
                ),
            ])
        func fixes(source: String, fix: String, fixed: String) {
            #expect(Expansion(source).fixes[fix] == fixed)
        }
    }
#endif
