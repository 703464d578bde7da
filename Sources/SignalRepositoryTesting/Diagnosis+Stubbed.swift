public import SignalRepository

extension Diagnosis {
    /// A diagnosis for errors made up by a test: `.busy(.stubbed)`, `.full(.stubbed)`.
    public static let stubbed = Diagnosis(engine: "Test", code: "0", message: "a test asked for this failure")
}
