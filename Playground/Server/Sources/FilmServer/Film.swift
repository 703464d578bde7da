import Foundation
import SignalRepository

/// A film as it is stored, and as it is sent.
package struct Film: Entity, Codable, Equatable {
    package let id: UUID
    package var title: String
    package var studio: String?
    package var boxOffice: Decimal

    package static let schema = Schema(
        Column("id", \Film.id), Column("title", \.title), Column("studio", \.studio, .indexed),
        Column("boxOffice", \.boxOffice), make: Film.init)

    package init(id: UUID, title: String, studio: String? = nil, boxOffice: Decimal) {
        (self.id, self.title, self.studio, self.boxOffice) = (id, title, studio, boxOffice)
    }
}
