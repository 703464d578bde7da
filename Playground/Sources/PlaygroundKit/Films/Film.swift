import Foundation

/// One film as the program stores it.
///
/// Its identity is its title and release date: `id` spells both, so that the same row gives the same film in every run.
package struct Film: Equatable, Sendable {
    /// The release date (`1998-06-12`, or `-` for none), a space, and the title in Unicode's composed form.
    ///
    /// The date contains no space, so the first space separates the two: different films never share an id.
    package let id: String
    package let title: String
    package let releaseDate: Date?
    package let boxOffice: Decimal?
    package let studio: String?
    package let genre: String?
    /// The year of the release in UTC, stored so that films can be grouped by it.
    package let year: Int?

    /// Makes a film; its id and its year follow from its title and release date.
    package init(title: String, releaseDate: Date?, boxOffice: Decimal?, studio: String?, genre: String?) {
        let date = releaseDate.map(ReleaseDate.text) ?? "-"
        self.init(
            id: "\(date) \(title.composed)", title: title, releaseDate: releaseDate,
            boxOffice: boxOffice, studio: studio, genre: genre, year: releaseDate.map(ReleaseDate.year))
    }

    /// Makes a film from its stored columns.
    init(
        id: String, title: String, releaseDate: Date?, boxOffice: Decimal?, studio: String?, genre: String?, year: Int?
    ) {
        self.id = id
        self.title = title
        self.releaseDate = releaseDate
        self.boxOffice = boxOffice
        self.studio = studio
        self.genre = genre
        self.year = year
    }
}
