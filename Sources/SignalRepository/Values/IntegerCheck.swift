/// Whether a computed number is one that can be held: in 64 bits, and by the type of a property.
enum IntegerCheck {
    /// Our function that returns the number, or fails; with two more values, also where it does not lie between them.
    static let function: StaticString = "signal_repository_checked"
    /// Our function that returns the number, or an infinite one where it is too large for 64 bits: what numbers that
    /// are not can be compared with.
    static let compared: StaticString = "signal_repository_compared"
    /// What it fails with for a number that is too large for 64 bits.
    static let overflow = "a computed number is out of the range of 64 bits"
    /// What it fails with for a number that does not lie between two others.
    static let outOfRange = "a computed number is out of the range of its type"
}
