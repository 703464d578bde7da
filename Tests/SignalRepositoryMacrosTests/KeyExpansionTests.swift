#if Macros
    import Testing

    @Suite("The key in the expansion of @Entity") struct KeyExpansionTests {
        @Test("A key with another name gets an `id` that returns it")
        func oneKey() {
            let source = "@Entity struct Film {\n@Key let code: String\nvar title: String\n}"
            let expected = #"""
                extension Film: Entity {
                    var id: String { code }

                    static let schema = Schema<Film> {
                        Column("code", \.code, .key)
                        Column("title", \.title)
                    } decode: { row in
                        try Film(code: row.next(), title: row.next())
                    }
                }
                """#
            #expect(Expansion(source).written == expected)
        }

        @Test("An `id` that the struct declares is not declared again")
        func ownID() {
            let source = "@Entity struct Film {\n@Key let code: String\nvar id: String { code }\n}"
            #expect(Expansion(source).problems == [])
            #expect(!Expansion(source).written.contains("var id"))
            let two =
                "@Entity struct Film {\n@Key let a: Int\n@Key let b: Int\nvar id: Pair { .init(a, b) }\n}"
            #expect(Expansion(two).problems == [])
            #expect(!Expansion(two).written.contains("var id"))
        }

        @Test("Two key properties make a composite key, and an `id` that returns it")
        func compositeKey() {
            let source = """
                @Entity(unique: [["note"]])
                public struct Tagging {
                    @Key @References(Player.self) public let playerID: UUID
                    @Key public let tagID: UUID
                    public var note: String
                }
                """
            let expected = #"""
                extension Tagging: Entity {
                    public var id: CompositeKey<UUID, UUID> { CompositeKey(playerID, tagID) }

                    public static let schema = Schema<Tagging>(key: [\.playerID, \.tagID], unique: [[\.note]]) {
                        Column("playerID", \.playerID, .references(Player.self))
                        Column("tagID", \.tagID)
                        Column("note", \.note)
                    } decode: { row in
                        try Tagging(playerID: row.next(), tagID: row.next(), note: row.next())
                    }
                }
                """#
            #expect(Expansion(source).written == expected)
        }

        @Test("Four key properties make a composite key")
        func fourKeys() {
            let source = "@Entity struct A {\n@Key let a: Int\n@Key let b: UUID\n@Key let c: String\n@Key let d: Int\n}"
            let written = Expansion(source).written
            #expect(written.contains("    var id: CompositeKey<Int, UUID, String, Int> { CompositeKey(a, b, c, d) }\n"))
            #expect(written.contains(#"Schema<A>(key: [\.a, \.b, \.c, \.d]) {"#))
        }

        @Test("An `id` whose column has another name is marked as the key")
        func namedID() {
            let written = Expansion("@Entity struct Film {\n@Named(\"film_id\") let id: Int\n}").written
            #expect(written.contains(#"Column("film_id", \.id, .key)"#))
        }

        @Test("An `id` may be marked as the key")
        func markedID() {
            let expansion = Expansion("@Entity struct Film {\n@Key @Generated let id: Int\n}")
            #expect(expansion.problems == [])
            #expect(expansion.written.contains(#"Column("id", \.id, .key, .generated)"#))
            #expect(!expansion.written.contains("var id"))
        }
    }
#endif
