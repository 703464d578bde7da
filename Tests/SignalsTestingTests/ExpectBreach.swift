import SignalsTesting
import Testing

/// Verifies up to `tries` times, until a law has found a breach of a clause.
///
/// A law may miss a breach that depends on the timing of threads.
func untilFound(_ law: String, _ clause: String, tries: Int = 20, _ verify: () -> [Breach]) -> [Breach] {
    var found: [Breach] = []
    for _ in 0..<tries {
        // A broken implementation may never deliver the event that a law waits for.
        found = Patience.$seconds.withValue(2) { verify() }
        if found.contains(where: { $0.law == law && $0.clause == clause }) { break }
    }
    return found
}

/// Expects that a law finds a breach of a clause in a broken implementation.
func expectBreach(
    of clause: String, by law: String, tries: Int = 20, location: SourceLocation = #_sourceLocation,
    _ verify: () -> [Breach]
) {
    let found = untilFound(law, clause, tries: tries, verify)
    #expect(
        found.contains { $0.law == law && $0.clause == clause },
        "\(law) should have found a breach of \(clause), but these were found: \(found.prefix(5))",
        sourceLocation: location)
}
