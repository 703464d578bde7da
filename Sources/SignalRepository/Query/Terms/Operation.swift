/// What a term computes of others; how it is spelled is a matter of `SQL/`.
package enum Operation: Sendable, Hashable {
    case arithmetic(Arithmetic)
    /// Two texts, one after the other.
    case joined
    case negated
    case magnitude
    case coalesced
    /// The number; the statement fails where it is not between two others, or is too large for 64 bits.
    case bounded
    /// The number, or an infinite one where it is too large for 64 bits: other numbers can be compared with that.
    case saturated
    /// What Swift computes of a text.
    case text(TextFunction)
    /// Whether the bytes of a pattern are found in a text.
    case search(TextSearch)
    /// A part of a date in a zone.
    case datePart
    /// What a function of the program's own makes of values, by its name.
    case own(String)
    /// The text, which is compared by an order of the program's own, by its name.
    case collated(String)
    /// The text, which is compared as in a language, by the identifier of a locale.
    case localized(String)

    /// Whether texts are compared by something else than their bytes.
    var isOrder: Bool {
        switch self {
        case .collated, .localized: true
        default: false
        }
    }

    /// Whether each result is one of the values that it was given, as it is stored.
    var keepsValues: Bool { self == .minimum || self == .maximum || isOrder }
    /// How many values there are, or rows if it is of nothing.
    case count
    /// The exact sum of whole numbers; NULL without any. The statement fails where it is too large for 64 bits.
    case sum
    /// The same, as a text where it is too large for 64 bits.
    case exactSum
    /// The sum of floating-point numbers; zero when there is none.
    case total
    /// The exact sum of whole numbers divided by how many there are, in floating point.
    case average
    /// The average of floating-point numbers.
    case mean
    case minimum, maximum
}

package enum Arithmetic: Sendable, Hashable {
    case plus, minus, times, dividedBy, remainder
}
