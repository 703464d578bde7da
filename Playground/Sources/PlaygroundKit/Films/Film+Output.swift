extension Film {
    static let csvHeader: [String?] = ["title", "releaseDate", "boxOffice", "studio", "genre"]

    /// The film's properties as texts, in the order of `csvHeader`.
    var csvFields: [String?] {
        [title, releaseDate.map(ReleaseDate.text), boxOffice.map(Amount.text), studio, genre]
    }

    /// The film as one JSON object.
    var json: String {
        JSONText.object([
            ("title", JSONText.string(title)), ("releaseDate", JSONText.string(releaseDate.map(ReleaseDate.text))),
            ("boxOffice", JSONText.number(boxOffice)), ("studio", JSONText.string(studio)),
            ("genre", JSONText.string(genre)),
        ])
    }
}
