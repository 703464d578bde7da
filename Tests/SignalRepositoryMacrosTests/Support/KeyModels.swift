#if Macros
    import Foundation
    import SignalRepository
    import SignalRepositoryMacros

    // Models with generated keys and managed times, and one with a composite key, written with the macro and by hand.

    extension ByMacro {
        @Entity
        struct Note: Equatable {
            @Generated var id = 0
            var text: String
            @Created var created = Date.distantPast
            @Updated var updated = Date.distantPast
        }

        @Entity(indexed: [["stars"]])
        struct Rating: Equatable {
            @Key @References(ByMacro.Note.self, onDelete: .cascade) let note: Int
            @Key let critic: String
            var stars: Int
        }
    }

    extension ByHand {
        struct Note: Entity, Equatable {
            var id = 0
            var text: String
            var created = Date.distantPast
            var updated = Date.distantPast

            static let schema = Schema<Note> {
                Column("id", \.id, .generated)
                Column("text", \.text)
                Column("created", \.created, .created)
                Column("updated", \.updated, .updated)
            } decode: { row in
                try Note(id: row.next(), text: row.next(), created: row.next(), updated: row.next())
            }
        }

        struct Rating: Entity, Equatable {
            let note: Int
            let critic: String
            var stars: Int
            var id: CompositeKey<Int, String> { CompositeKey(note, critic) }

            static let schema = Schema<Rating>(key: [\.note, \.critic], indexed: [[\.stars]]) {
                Column("note", \.note, .references(Note.self, onDelete: .cascade))
                Column("critic", \.critic)
                Column("stars", \.stars)
            } decode: { row in
                try Rating(note: row.next(), critic: row.next(), stars: row.next())
            }
        }
    }
#endif
