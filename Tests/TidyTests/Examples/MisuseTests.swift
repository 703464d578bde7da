import Testing

/// Mistakes in a model or a query do not compile, and the compiler says what is wrong.
@Suite struct MisuseTests {
    /// Closures that would make another query than intended, or none at all.
    private static let mistaken: [(query: String, message: String)] = [
        ("Flight.all.select { ($0.hour, $0.id.count()) }", "cannot convert value of type '(Term<Flight, Int>, Term<Gr"),
        ("Flight.all.select { ($0.id.count(), $0.hour) }", "cannot convert value of type '(Term<Groups<Flight>, Int>"),
        ("Flight.all.select { $0.id.count() }", "cannot convert value of type 'Term<Groups<Flight>, Int>'"),
        ("Flight.all.select { _ in }", "expected expression of type 'Terms<Flight, repeat each Value>'"),
        ("Flight.all.select { $0.hour; $0.delay }", "extra argument in call"),
        ("Flight.all.select { $0.hoor }", "has no dynamic member 'hoor'"),
        ("Flight.all.grouped { $0.hoor }.aggregate { $0.id.count() }", "has no dynamic member 'hoor'"),
        (
            "Flight.all.grouped { $0.origin }.aggregate { ($0.hour, $0.id.count()) }",
            "cannot convert value of type '(Term<Flight, Int>, Term<Groups<Flight>, Int>)'"
        ),
        (
            "Flight.all.grouped { $0.origin }.aggregate { ($0.id.count(), $0.hour) }",
            "cannot convert value of type '(Term<Groups<Flight>, Int>, Term<Flight, Int>)'"
        ),
        (
            "Flight.all.grouped { $0.origin }.aggregate { $0.hour }",
            "cannot convert value of type 'Term<Flight, Int>' to expected argument type 'Term<Groups<Flight>, Int>'"
        ),
        (
            "Flight.all.grouped { $0.origin }.aggregate { _ in }",
            "expected expression of type 'Terms<Groups<Flight>, repeat each Value>'"
        ),
        (
            "Flight.all.grouped { ($0.origin, $0.hour.sum()) }.aggregate { $0.id.count() }",
            "cannot convert value of type '(Term<Flight, String>, Term<Groups<Flight>, Int>)'"
        ),
        (
            "Flight.all.grouped { $0.hour.sum() }.aggregate { $0.id.count() }",
            "cannot convert value of type 'Term<Groups<Flight>, Int>' to expected argument type 'Term<Flight, Int>'"
        ),
        (
            "Flight.all.grouped { _ in }.aggregate { $0.id.count() }",
            "expected expression of type 'Terms<Flight, repeat each Key>'"
        ),
        (
            "Flight.joined(to: Airline.self).grouped { _, _ in }.aggregate { flight, _ in flight.id.count() }",
            "expected expression of type 'Terms<Joined<Flight, Airline>, repeat each Key>'"
        ),
        (
            "Flight.all.aggregate { ($0.hour, $0.id.count()) }",
            "cannot convert value of type '(Term<Flight, Int>, Term<Groups<Flight>, Int>)'"
        ),
        (
            "Flight.joined(to: Airline.self, on: \\.hour)",
            "static method 'joined(to:on:)' requires the types 'Int' and 'String' be equivalent"
        ),
        ("Flight.all.aggregate { _ in }", "expected expression of type 'Terms<Groups<Flight>, repeat each Value>'"),
    ]

    @Test("A closure that would make another query than intended does not compile")
    func mistakenClosures() throws {
        let compiler = try ExampleCompiler()
        defer { #expect(throws: Never.self) { try compiler.removeFolder() } }
        let examples = Self.mistaken.enumerated().map { place, mistake in
            Example(path: "A.md", line: 1_000 + place, code: ["_ = \(mistake.query)"])
        }
        let errors = try compiler.errors(in: examples)
        for (place, mistake) in Self.mistaken.enumerated() {
            let own = errors.filter { $0.contains("A.md:\(1_000 + place):") }
            #expect(own.contains { $0.contains(mistake.message) }, "\(mistake.query): \(own)")
        }
    }

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

    /// Bodies that return a signal, which a message explains in asynchronous code, and an actor's name elsewhere.
    private static let unattached: [(code: [String], message: String)] = [
        (["try await repository.transaction { _ in repository.create(movie) }.value()"], reason),
        (["try await repository.transaction(author: \"a\") { _ in repository.create(movie) }.value()"], reason),
        (["_ = try await repository.read { _ in repository.count(Movie.self) }.value()"], reason),
        (
            [
                "try await repository.transaction { _ in", "    let copy = movie", "    return repository.create(copy)",
                "}.value()",
            ], reason
        ),
        (["try store.transaction { _ in repository.create(movie) }"], reason),
        (["_ = LiveQuery { _ in repository.count(Movie.self) }"], reason),
        (
            [
                "func inner(_ store: any Repository) {",
                "    _ = store.transaction(author: \"a\") { _ in store.create(movie) }", "}",
            ], actor
        ),
        (
            ["func inner(_ store: some Repository) {", "    _ = store.read { _ in store.count(Movie.self) }", "}"],
            actor
        ),
        (
            [
                "let own = repository.authored(by: \"me\")",
                "_ = try await own.read { _ in own.count(Movie.self) }.value()",
            ], reason
        ),
        (["func inner() {", "    _ = repository.transaction { _ in repository.create(movie) }", "}"], actor),
        (["func inner() {", "    _ = repository.read { _ in repository.count(Movie.self) }", "}"], actor),
        (
            [
                "let nested = repository.transaction { store in", "    try store.transaction { _ in",
                "        repository.create(movie)", "    }", "    return 1", "}",
            ], actor
        ),
    ]
    private static let reason =
        "nobody attaches to the body's signal: call the endpoint on the body's own handle"
    private static let actor = "call to global actor 'SignalReturnedByBody'-isolated instance method"

    @Test func aSignalThatABodyReturnsIsNamed() throws {
        let examples = Self.unattached.enumerated().map { Example(path: "\($0).md", line: 1, code: $1.code) }
        let sound = Example(
            path: "sound.md", line: 1,
            code: [
                "try await repository.transaction { store in try store.create(movie) }.value()",
                "let count = repository.read { store in try store.count(Movie.self) }",
                "print(LiveQuery { store in try store.count(Movie.self) }, count)",
            ])
        let compiler = try ExampleCompiler()
        defer { #expect(throws: Never.self) { try compiler.removeFolder() } }
        let errors = try compiler.errors(in: examples + [sound])
        for (index, mistake) in Self.unattached.enumerated() {
            let found = errors.filter { $0.contains("/\(index).md:") || $0.hasPrefix("\(index).md:") }
            #expect(found.contains { $0.contains(mistake.message) }, "\(index): \(errors)")
        }
        #expect(!errors.contains { $0.contains("sound.md") }, "\(errors)")
    }

    /// Mistakes in conditions, live queries and sequences.
    private static let conditions: [(code: String, message: String)] = [
        ("_ = repository.delete(Movie.self, where: { $0.titel == \"a\" })", "has no dynamic member 'titel'"),
        (
            "_ = repository.delete(Movie.self, where: { $0.titel == \"a\" && $0.studio == nil })",
            "has no dynamic member 'titel'"
        ),
        (
            "_ = repository.sum(of: \\Movie.boxOffice, where: { $0.titel == \"a\" })",
            "has no dynamic member 'titel'"
        ),
        (
            "_ = repository.sum(of: \\Movie.boxOfice, where: { $0.title == \"a\" })",
            "has no member 'boxOfice'"
        ),
        (
            "_ = try store.update(Movie.self, set: [], where: { $0.titel == \"a\" })",
            "has no dynamic member 'titel'"
        ),
        ("_ = repository.count(Movie.self, where: { $0.boxOffice > \"a\" })", "value of type 'String'"),
        ("_ = repository.count(Movie.self) { $0.titel == \"a\" }", "has no dynamic member 'titel'"),
        (
            """
            struct Plain: Entity { let id: Int; static let schema = Schema(Column("id", \\Plain.id), make: Plain.init) }
            _ = repository.fetchSubscription(Plain.all)
            """, "requires that 'Plain' conform to 'Equatable'"
        ),
        (
            """
            let lines = ["1", "2"].lazy.compactMap { Int($0) }
            _ = Signal<Int, Never>.sequence(lines)
            """, "implicit capture of 'lines' requires that"
        ),
    ]

    /// Mistakes with a closure, a sink or a deletion.
    private static let calls: [(code: String, message: String)] = [
        ("_ = numbers.map { await twice($0) }", task), ("_ = counts.map { await twice($0) }", task),
        ("_ = numbers.compactMap { await twice($0) }", task), ("_ = counts.filter { await twice($0) > 1 }", task),
        ("_ = counts.map { try await failing($0) }", task),
        ("_ = numbers.map { await twice($0) }.filter { $0 > 1 }", task),
        ("for await number in numbers { print(number) }", "for try await value in signal.values"),
        ("_ = counts.sink { print($0) }", "this signal can fail: use sink(onValue:onCompletion:)"),
        ("_ = counts.sink(onValue: { print($0) })", "this signal can fail: use sink(onValue:onCompletion:)"),
        (
            "_ = counts.map { $0 + 1 }.filter { $0 > 1 }.sink { number in print(number) }",
            "this signal can fail: use sink(onValue:onCompletion:)"
        ),
        (
            "@MainActor func show() { _ = counts.mainActorSink { print($0) } }",
            "this signal can fail: use mainActorSink(onValue:onCompletion:)"
        ),
        ("_ = numbers.zip(numbers).sink { total($0) }", tuple),
        ("_ = numbers.combineLatest(numbers).sink { total($0) }", tuple),
        ("_ = numbers.zip(numbers, numbers).sink { total($0) }", "cannot convert value of type '(Int, Int, Int)'"),
        ("_ = repository.delete(Movie.self)", "to delete every item, pass { _ in .true }"),
        ("_ = try store.delete(Movie.self)", "to delete every item, pass { _ in .true }"),
        ("_ = repository.update(Movie.self, set: [])", "to update every item, pass { _ in .true }"),
        ("_ = try store.update(Movie.self, set: [])", "to update every item, pass { _ in .true }"),
        ("_ = repository.fetch(Movie.self)", "pass a query instead of a type"),
        ("_ = repository.fetch(Movie.self) { $0.title == \"a\" }", "pass a query instead of a type"),
        ("_ = repository.fetchSubscription(Movie.self)", "pass a query instead of a type"),
        ("_ = repository.listSubscription(Movie.self)", "pass a query instead of a type"),
        ("_ = repository.insert { [movie] }", "name the type of the items"),
        ("_ = repository.count(Movie.self) { _ in }", "a condition needs at least one line"),
        ("_ = Movie.all.sorted(by: \\.titel)", "has no member 'titel'"),
        ("_ = repository.fetch(Movie.where(\\.title == \"a\"))", "cannot infer key path type"),
        (
            "_ = repository.update(Movie.self, set: [.set(\\.title, to: 3)]) { _ in .true }",
            "cannot convert value of type 'Int' to expected argument type 'String'"
        ),
        ("_ = numbers.map { await twice($0) }.sink { print($0) }", task),
        ("_ = numbers.sink { _ = await twice($0) }", "run an async closure as a task before the sink"),
        ("_ = numbers.map { try thrower($0) }.sink { print($0) }", "a closure that throws needs tryMap"),
        ("_ = counts.sink(onValue: { try thrower($0) }, onCompletion: { _ in })", "a sink cannot throw"),
        ("_ = numbers.sink { try thrower($0) }", "a sink cannot throw"),
        (
            """
            @MainActor final class Screen {
                var last = 0
                func follow(_ numbers: Signal<Int, Never>) { _ = numbers.sink { self.last = $0 } }
            }
            """, "main actor-isolated property 'last' can not be mutated from a Sendable closure"
        ),
        (
            """
            _ = numbers.flatMap { number in
                let least = Decimal(number)
                return repository.count(Movie.self) { $0.boxOffice > least }
            }.sink(onValue: { print($0) }, onCompletion: { print($0) })
            """, "to closure result type 'Signal<"
        ),
    ]
    private static let tuple = "cannot convert value of type '(Int, Int)' to expected argument type 'Int'"
    private static let task = "run an async closure as a task: concatMap { value in .task { await work(value) } }"
    private static let signals = [
        "let numbers = Signal<Int, Never>.sequence(1...3)", "let counts = repository.count(Movie.self)",
        "@Sendable func total(_ number: Int) {}",
        "@Sendable func twice(_ number: Int) async -> Int { number * 2 }",
        "@Sendable func failing(_ number: Int) async throws -> Int { number }",
        "@Sendable func thrower(_ number: Int) throws { throw CancellationError() }",
    ]

    @Test("N5 R-L6 The compiler names a mistake in a call, and says what to write instead")
    func aMistakeInACallIsNamed() throws {
        let examples = Self.calls.enumerated().map {
            Example(path: "\($0).md", line: 1, code: Self.signals + [$1.code])
        }
        let sound = Example(
            path: "sound.md", line: 1,
            code: Self.signals + [
                "_ = numbers.sink { print($0) }", "_ = numbers.map { $0 + 1 }.filter { $0 > 1 }.sink { _ in }",
                "_ = numbers.map { number -> Int in let next = number + 1; return next }.sink { print($0) }",
                "_ = counts.sink(onValue: { print($0) }, onCompletion: { print($0) })",
                "let attach: (@escaping @Sendable (Int) -> Void) -> SignalToken = numbers.sink(onValue:)",
                "_ = attach { print($0) }", "_ = repository.delete(Movie.self) { _ in .true }",
                "_ = try store.delete(Movie.self) { _ in .true }", "_ = repository.delete(movie)",
                "_ = numbers.concatMap { number in .task { await twice(number) } }.sink { print($0) }",
                "@MainActor func show() { _ = numbers.mainActorSink { print($0) } }",
                "_ = numbers.zip(numbers).sink { total($0 + $1) }", "_ = Signal.zip(numbers, numbers, numbers)",
                "_ = Signal<Int, Never>.combineLatest(numbers, numbers).sink { total($0 + $1) }",
            ])
        let compiler = try ExampleCompiler()
        defer { #expect(throws: Never.self) { try compiler.removeFolder() } }
        let errors = try compiler.errors(in: examples + [sound])
        for (index, mistake) in Self.calls.enumerated() {
            let found = errors.filter { $0.hasPrefix("\(index).md:") }
            #expect(found.contains { $0.contains(mistake.message) }, "\(index): \(errors)")
        }
        #expect(!errors.contains { $0.contains("sound.md") }, "\(errors)")
        let guide = try #require(Project.text("Documentation/Streams.md"))
        let section = guide.components(separatedBy: "## What the compiler says")[1]
        let messages = section.matches(#"(?m)^\| `([^`]*)`"#).map(\.groups[0])
        #expect(messages.count == 7)
        for message in messages { #expect(errors.contains { $0.contains(message) }, "\(message)") }
    }

    @Test func aMistakeInAConditionIsNamed() throws {
        let examples = Self.conditions.enumerated().map { Example(path: "\($0).md", line: 1, code: [$1.code]) }
        let compiler = try ExampleCompiler()
        defer { #expect(throws: Never.self) { try compiler.removeFolder() } }
        let errors = try compiler.errors(in: examples)
        for (index, mistake) in Self.conditions.enumerated() {
            let found = errors.filter { $0.hasPrefix("\(index).md:") }
            #expect(found.contains { $0.contains(mistake.message) }, "\(index): \(errors)")
        }
    }
}
