/// Whether a computed number is one that the type of a property can hold.
enum IntegerCheck {
    /// Our function that returns the number, or fails.
    static let function: StaticString = "signal_repository_checked"
    /// What it fails with.
    static let message = "a computed number is out of the range of its type"
}
