import Testing

@Suite struct OutlineTests {
    private func outline(_ text: String) -> [Outline.Declaration] {
        SwiftSource(path: "A.swift", text: text).outline.declarations
    }

    @Test func bodiesReachTheirOwnBrace() {
        let found = outline(
            """
            struct A {
                func f(a: Int = { 1 }()) -> Int {
                    if a > 0 { return 1 }
                    return 2
                }
                init(b: Int) {
                    self.init(a: b)
                }
                var c: Int {
                    1
                }
                var d = [1].map { $0 }
            }
            """)
        #expect(found.map(\.name) == ["A", "f", "init", "c", "d"])
        #expect(found.map(\.bodyLineCount) == [13, 4, 3, 3, 1])
    }

    @Test func requirementsHaveNoBody() {
        let found = outline("protocol P {\n    func f() -> Int\n    func g()\n    var h: Int { get }\n}\nfunc k() {\n}")
        #expect(found.map(\.name) == ["P", "f", "g", "h", "k"])
        #expect(found.map(\.bodyLineCount) == [5, 1, 1, 1, 2])
    }

    @Test func bracesOfLiteralsAndCommentsDoNotCount() {
        let found = outline("func f() {\n    // }\n    print(\"}\")\n}\nfunc g() {}")
        #expect(found.map(\.bodyLineCount) == [4, 1])
    }

    @Test func containersModifiersAndLocals() {
        let found = outline(
            """
            extension Repository where Self: Sendable {
                @inlinable public static func f() { func local() {} }
                public private(set) var a: Int { 1 }
                nonisolated(unsafe) static var b: Int { 1 }
            }
            public final class C { struct D {} }
            """)
        #expect(found.map(\.name) == ["Repository", "f", "local", "a", "b", "C", "D"])
        #expect(
            found.map(\.container) == [[], ["Repository"], ["Repository"], ["Repository"], ["Repository"], [], ["C"]])
        #expect(found.map(\.isLocal) == [false, false, true, false, false, false, false])
        #expect(found.map(\.isPublic) == [false, true, false, true, false, true, false])
        #expect(found[4].modifiers == ["nonisolated", "static"])
    }

    @Test(arguments: [
        ("func close() {}", "close()"),
        ("func create<E: Entity>(_ item: E) {}", "create(_:)"),
        ("func read<E>(_ type: E.Type, id: E.ID) {}", "read(_:id:)"),
        ("func sum<E, V>(of path: KeyPath<E, V>, where condition: C<E>? = nil) {}", "sum(of:where:)"),
        ("func f(_ body: @escaping @Sendable (A, B) throws -> C, b: [D: E] = [:]) {}", "f(_:b:)"),
        ("func f(inout: Int, g: (Int, Int) = (1, 2)) {}", "f(inout:g:)"),
        ("static func == (lhs: A, rhs: A) -> Bool { true }", "==(lhs:rhs:)"),
    ])
    func signatures(text: String, signature: String) {
        #expect(outline(text).map(\.signature) == [signature])
    }

    @Test func callsAreNoDeclarations() {
        #expect(outline("let a = A.init(b: 1)\nlet c = [.init(1), .func]\nf(actor: 1)") == [])
    }
}
