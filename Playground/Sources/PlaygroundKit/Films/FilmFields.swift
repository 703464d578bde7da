import Foundation

/// The film's properties in a row of an input, before they are checked.
package struct FilmFields: Sendable {
    /// A property of a film, with the headers under which inputs give it.
    package enum Name: String, CaseIterable, Sendable {
        case title, releaseDate, boxOffice, studio, genre

        init?(header: String) {
            switch header {
            case "Title", "title": self = .title
            case "Release Date", "releaseDate": self = .releaseDate
            case "Worldwide Gross", "boxOffice": self = .boxOffice
            case "Distributor", "studio": self = .studio
            case "Major Genre", "genre": self = .genre
            default: return nil
            }
        }
    }

    /// The value of a field: a text, a JSON number as it is spelled, or a value of a kind that no film has.
    package enum Value: Equatable, Sendable {
        case text(String)
        case number(String)
        case other(String)
    }

    /// Makes an empty set of fields.
    package init() {}

    private var values: [Name: Value] = [:]

    subscript(name: Name) -> Value? { values[name] }

    /// Sets one field, and throws if the row has already given the property.
    package mutating func set(_ name: Name, _ value: Value) throws(RowRejection) {
        guard values.updateValue(value, forKey: name) == nil else {
            throw RowRejection("the \(name.rawValue) is given twice")
        }
    }
}

/// The reason why a row of an input is not a film.
package struct RowRejection: Error, Equatable {
    package let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}

extension String {
    /// The text without the white space around it.
    var trimmed: String {
        // A fast path, because most texts begin and end with a visible ASCII character.
        guard let first = utf8.first, let last = utf8.last else { return self }
        if (0x21..<0x7F).contains(first) && (0x21..<0x7F).contains(last) { return self }
        return trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The text in Unicode's composed form, in which canonically equivalent texts have equal bytes.
    var composed: String {
        utf8.allSatisfy { $0 < 0x80 } ? self : precomposedStringWithCanonicalMapping
    }
}
