public import SignalRepository

extension SQLiteDiagnosis {
    /// A diagnosis for errors made up by a test: `.busy(.stubbed)`, `.full(.stubbed)`.
    public static let stubbed = SQLiteDiagnosis(code: .error, message: "a test asked for this failure")
}
