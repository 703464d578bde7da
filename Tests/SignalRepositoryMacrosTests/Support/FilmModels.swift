#if Macros
    import Foundation
    import SignalRepository
    import SignalRepositoryMacros

    // Models that use every marker, written with the macro and by hand.

    enum Genre: String, ColumnValue { case drama, comedy }

    extension ByMacro {
        @Entity
        struct Studio: Equatable {
            @Key let code: String
            @Unique var name: String
        }

        @Entity("films", unique: [["title", "released"]], indexed: [["genre", "released"]])
        struct Film: Equatable {
            struct Poster: Codable, Equatable { var width: Int, colors: [String] }

            let id: UUID
            @Indexed var title: String
            var released: Date?
            @Default(Genre.drama) var genre: Genre
            @Scale(2) var gross: Decimal
            @Scale(0, rounding: .bankers) var budget: Decimal?
            @JSON var poster: Poster
            @Default([]) @JSON var tags: [String]
            @Default([:]) @JSON var votes: [String: Int]
            @References(ByMacro.Studio.self, onDelete: .nullify) var studio: String?
            @Named("Länge in Minuten") var `default`: Int
            var größe, 高さ: Double
            private var secret: Int
            var count = 0 {
                didSet { count = max(count, 0) }
            }
            static let kind = 0
            var isLong: Bool { `default` > 120 }

            static let defaultOrder = [Ordering(\Film.title)]
        }
    }

    extension ByHand {
        struct Studio: Entity, Equatable {
            let code: String
            var name: String
            var id: String { code }

            static let schema = Schema(
                Column("code", \Studio.code, .key), Column("name", \.name, .unique), make: Studio.init)
        }

        struct Film: Entity, Equatable {
            let id: UUID
            var title: String
            var released: Date?
            var genre: Genre
            var gross: Decimal
            var budget: Decimal?
            var poster: ByMacro.Film.Poster
            var tags: [String]
            var votes: [String: Int]
            var studio: String?
            var minutes: Int
            var größe: Double
            var 高さ: Double
            var secret: Int
            var count: Int

            static let entityName = "films"

            static let schema = Schema<Film>(unique: [[\.title, \.released]], indexed: [[\.genre, \.released]]) {
                Column("id", \.id)
                Column("title", \.title, .indexed)
                Column("released", \.released)
                Column("genre", \.genre, .default(.drama))
                Column("gross", \.gross, .scale(2))
                Column("budget", \.budget, .scale(0, rounding: .bankers))
                Column("poster", json: \.poster)
                Column("tags", json: \.tags, .default([]))
                Column("votes", json: \.votes, .default([:]))
                Column("studio", \.studio, .references(Studio.self, onDelete: .nullify))
                Column("Länge in Minuten", \.minutes)
                Column("größe", \.größe)
                Column("高さ", \.高さ)
                Column("secret", \.secret)
                Column("count", \.count)
            } decode: { row in
                try Film(
                    id: row.next(), title: row.next(), released: row.next(), genre: row.next(), gross: row.next(),
                    budget: row.next(), poster: row.next(), tags: row.next(), votes: row.next(), studio: row.next(),
                    minutes: row.next(), größe: row.next(), 高さ: row.next(), secret: row.next(), count: row.next())
            }
        }
    }

    extension ByMacro.Film {
        static func numbered(_ number: Int, studio: String?) -> Self {
            Self(
                id: UUID(), title: "Film \(number)",
                released: number > 1 ? nil : Date(timeIntervalSinceReferenceDate: 0.5),
                genre: .comedy, gross: 9.95, budget: 1_000, poster: Poster(width: 2, colors: ["red"]),
                tags: ["a", "b"], votes: ["yes": 3], studio: studio, default: 97, größe: 1.5, 高さ: 2.5, secret: 7,
                count: 1)
        }
    }

    extension ByMacro {
        @Entity(search: ["title", "note"])
        struct Play: Equatable {
            let id: Int
            var title: String
            var note: String?
        }
    }

    extension ByHand {
        struct Play: Entity {
            let id: Int
            var title: String
            var note: String?

            static let schema = Schema(
                Column("id", \Play.id), Column("title", \.title), Column("note", \.note),
                search: [\Play.title, \.note], make: Play.init)
        }
    }

    /// A struct that another module could use: its initializer is declared, because the memberwise one is internal.
    @Entity
    public struct Ticket: Equatable {
        /// The number.
        public let id: Int
        /// The row, and the number in it.
        public var seat: String

        /// Makes a ticket.
        public init(id: Int, seat: String) {
            self.id = id
            self.seat = seat
        }
    }

    @Entity
    private struct Note: Equatable {
        let id: Int
        private var text: String
        fileprivate var more: String?

        static func saying(_ text: String) -> Note { Note(id: 1, text: text, more: nil) }
    }

    /// Access to a model that is private to this file.
    enum Private {
        static func comesBack() async throws -> Bool {
            let repository = try SQLiteRepository(.inMemory, entities: Note.self)
            let note = Note.saying("words")
            try await repository.create(note).value()
            return try await repository.fetch(Note.all).value() == [note]
        }
    }
#endif
