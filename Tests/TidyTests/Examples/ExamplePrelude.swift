/// The declarations that every example can use without declaring or importing them.
enum ExamplePrelude {
    static let text = """
        import Foundation
        import SignalRepository

        public struct Movie: Entity, Equatable {
            public let id: UUID
            public var title: String
            public var releaseDate: Date
            public var boxOffice: Decimal
            public var studio: String?

            public init(id: UUID, title: String, releaseDate: Date, boxOffice: Decimal, studio: String?) {
                self.id = id
                self.title = title
                self.releaseDate = releaseDate
                self.boxOffice = boxOffice
                self.studio = studio
            }

            public static let schema = Schema(
                Column("id", \\Movie.id), Column("title", \\.title), Column("releaseDate", \\.releaseDate),
                Column("boxOffice", \\.boxOffice), Column("studio", \\.studio, .indexed), make: Movie.init)
        }

        public struct Team: Entity, Equatable {
            public let id: UUID
            public var name: String
            public var city: String?
            public var coachID: UUID?

            public static let schema = Schema(
                Column("id", \\Team.id), Column("name", \\.name), Column("city", \\.city),
                Column("coachID", \\.coachID), make: Team.init)
        }

        public struct Player: Entity, Equatable {
            public let id: UUID
            public var name: String
            public var rating: Int
            public var teamID: UUID?

            public static let schema = Schema(
                Column("id", \\Player.id), Column("name", \\.name), Column("rating", \\.rating),
                Column("teamID", \\.teamID, .references(Team.self)), make: Player.init)
        }

        public struct Person: Entity, Equatable {
            public let id: UUID
            public var name: String
            public static let schema = Schema(Column("id", \\Person.id), Column("name", \\.name), make: Person.init)
        }

        public struct Article: Entity, Equatable {
            public let id: Int
            public var title: String
            public var summary: String?
            public var year: Int

            public static let schema = Schema(
                Column("id", \\Article.id, .generated), Column("title", \\.title), Column("summary", \\.summary),
                Column("year", \\.year), search: [\\.title, \\.summary], make: Article.init)
        }

        public struct Airline: Entity, Equatable {
            public let id: String
            public var name: String
            public static let schema = Schema(
                Column("carrier", \\Airline.id), Column("name", \\.name), make: Airline.init)
        }

        public struct Airport: Entity, Equatable {
            public let id: String
            public var name: String
            public static let schema = Schema(
                Column("faa", \\Airport.id), Column("name", \\.name), search: [\\.name], make: Airport.init)
        }

        public struct Plane: Entity, Equatable {
            public let id: String
            public var year: Int?
            public static let schema = Schema(Column("tailnum", \\Plane.id), Column("year", \\.year), make: Plane.init)
        }

        public struct Weather: Entity, Equatable {
            public let origin: String
            public let time: Date
            public var precipitation: Double
            public var id: CompositeKey<String, Date> { CompositeKey(origin, time) }

            public static let schema = Schema(
                Column("origin", \\Weather.origin), Column("time", \\.time), Column("precipitation", \\.precipitation),
                key: [\\.origin, \\.time], make: Weather.init)
        }

        public struct Flight: Entity, Equatable {
            public var id: Int
            public var carrier: String
            public var origin: String
            public var destination: String
            public var tailNumber: String?
            public var delay: Int?
            public var hour: Int
            public var time: Date

            public static let schema = Schema<Flight> {
                Column("id", \\.id, .generated)
                Column("carrier", \\.carrier, .references(Airline.self))
                Column("origin", \\.origin)
                Column("destination", \\.destination)
                Column("tailNumber", \\.tailNumber)
                Column("delay", \\.delay)
                Column("hour", \\.hour)
                Column("time", \\.time)
            } decode: { row in
                try Flight(
                    id: row.next(), carrier: row.next(), origin: row.next(), destination: row.next(),
                    tailNumber: row.next(), delay: row.next(), hour: row.next(), time: row.next())
            }
        }
        """
}
