import Foundation

extension Film {
    /// Makes a film from a row of an input, or throws the reason why the row is not a film.
    init(_ record: SourceRecord) throws(RowRejection) {
        try self.init(FilmFields(record))
    }

    /// Checks a row's fields: the title is required, everything else may be missing, and nothing is guessed.
    package init(_ fields: FilmFields) throws(RowRejection) {
        self.init(
            title: try Self.title(fields[.title]),
            releaseDate: try Self.releaseDate(fields[.releaseDate]),
            boxOffice: try Self.boxOffice(fields[.boxOffice]),
            studio: try Self.text(fields[.studio], "studio"),
            genre: try Self.text(fields[.genre], "genre"))
    }

    private static func title(_ value: FilmFields.Value?) throws(RowRejection) -> String {
        guard let title = try text(value, "title") else { throw RowRejection("the title is missing") }
        return title
    }

    private static func text(_ value: FilmFields.Value?, _ name: String) throws(RowRejection) -> String? {
        let text: String
        switch value {
        case nil: return nil
        case .text(let given)?: text = given.trimmed
        case .number(let given)?: text = given
        case .other(let raw)?: throw RowRejection("the \(name) is \(raw), not a text")
        }
        guard text.utf8.count <= longest else { throw RowRejection("the \(name) has more than \(longest) bytes") }
        return text.isEmpty ? nil : text
    }

    /// The largest number of bytes in a text, which bounds the size of a list and the cost of a search in all titles.
    private static let longest = 1_000

    private static func releaseDate(_ value: FilmFields.Value?) throws(RowRejection) -> Date? {
        guard let text = try text(value, "releaseDate") else { return nil }
        guard let date = ReleaseDate.parse(text) else {
            throw RowRejection("the releaseDate \"\(text.prefix(40))\" is not a date like Jun 12 1998 or 1998-06-12")
        }
        return date
    }

    private static func boxOffice(_ value: FilmFields.Value?) throws(RowRejection) -> Decimal? {
        guard let text = try text(value, "boxOffice") else { return nil }
        guard let amount = Amount.parse(text) else {
            throw RowRejection("the boxOffice \"\(text.prefix(40))\" is not an amount")
        }
        guard Amount.isExact(text), Amount.isStorable(amount) else {
            throw RowRejection("the boxOffice \(text.prefix(40)) cannot be stored exactly")
        }
        return amount
    }
}

extension FilmFields {
    /// Picks a film's fields out of a row, and ignores the others.
    init(_ record: SourceRecord) throws(RowRejection) {
        switch record.content {
        case .json(let bytes):
            for member in try JSONMembers(bytes) {
                guard let name = Name(header: member.key), let value = try member.value else { continue }
                try set(name, value)
            }
        case .row(let header, let fields):
            guard fields.count == header.names.count else {
                throw RowRejection("it has \(fields.count) fields, and the header has \(header.names.count)")
            }
            for (name, column) in header.columns where !fields[column].isEmpty {
                try set(name, .text(fields[column]))
            }
        case .unreadable(_, let reason):
            throw RowRejection(reason)
        }
    }
}
