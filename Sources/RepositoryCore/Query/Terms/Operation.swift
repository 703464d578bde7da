/// An operation on terms, which a dialect writes as SQL.
package enum Operation: Sendable, Hashable {
    case arithmetic(Arithmetic)
    /// The concatenation of two texts.
    case joined
    case negated
    case magnitude
    case coalesced
    /// The number; the statement fails if it is not between two others, or is too large for 64 bits.
    case bounded
    /// The number, or an infinite one if it is too large for 64 bits, so that it can still be compared.
    case saturated
    /// A text function with the result of Swift.
    case text(TextFunction)
    /// Whether the bytes of a pattern are found in a text.
    case search(TextSearch)
    /// A component of a date in a time zone.
    case datePart
    /// The result of a custom function, by its name.
    case own(String)
    /// The text, compared with a custom collation, by its name.
    case collated(String)
    /// The text, compared as in a language, by the identifier of a locale.
    case localized(String)

    /// Whether text is compared by anything other than its bytes.
    var isOrder: Bool {
        switch self {
        case .collated, .localized: true
        default: false
        }
    }

    /// Whether each result is one of the given values, exactly as it is stored.
    var keepsValues: Bool { self == .minimum || self == .maximum || isOrder }
    /// The number of values, or of rows if there is no argument.
    case count
    /// The exact sum of integers, NULL without any; the statement fails if it is too large for 64 bits.
    case sum
    /// The exact sum of integers, as text if it is too large for 64 bits.
    case exactSum
    /// The sum of floating-point numbers; zero without any.
    case total
    /// The exact sum of integers divided by their number, in floating point.
    case average
    /// The average of floating-point numbers.
    case mean
    case minimum, maximum
}

package enum Arithmetic: Sendable, Hashable {
    case plus, minus, times, dividedBy, remainder
}
