/// An operation, such as a sum or a text function, which a dialect writes as SQL.
package enum Operation: Sendable, Hashable {
    case arithmetic(Arithmetic)
    /// The concatenation of two texts.
    case joined
    case negated
    case magnitude
    case coalesced
    /// The first argument. The statement fails if it exceeds 64 bits, or the bounds in two further arguments, if given.
    case bounded
    /// The number, or infinity if the number does not fit into 64 bits, so that it can still be compared.
    case saturated
    /// A text function with the same result as in Swift.
    case text(TextFunction)
    /// Whether a search finds the bytes of a pattern in a text.
    case search(TextSearch)
    /// A component of a date in a time zone.
    case datePart
    /// The distance of a vector from the target in the second argument; see `VectorMetric.target(_:)`.
    case distance(VectorMetric)
    /// The result of the custom function with this name.
    case own(String)
    /// The text, to be compared with the custom collation of this name.
    case collated(String)
    /// The text, to be compared by the rules of a language; the associated value is a locale's identifier.
    case localized(String)

    /// Whether the operation makes text compare by something other than its bytes.
    var isOrder: Bool {
        switch self {
        case .collated, .localized: true
        default: false
        }
    }

    /// Whether each result is one of the argument's values, exactly as it is stored.
    var keepsValues: Bool { self == .minimum || self == .maximum || isOrder }
    /// The number of values, or of rows if there is no argument.
    case count
    /// The exact sum of integers, or NULL if there are none; the statement fails if the sum does not fit into 64 bits.
    case sum
    /// The exact sum of integers, as text if it does not fit into 64 bits.
    case exactSum
    /// The sum of floating-point numbers; zero if there are none.
    case total
    /// The state of an exact sum of floating-point numbers, as bytes; see `ExactSum`.
    case totalState
    /// The exact sum of integers divided by their number, in floating point.
    case average
    /// The average of floating-point numbers.
    case mean
    case minimum, maximum
}

package enum Arithmetic: Sendable, Hashable {
    case plus, minus, times, dividedBy, remainder
}
