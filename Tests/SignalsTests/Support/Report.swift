import SignalsTesting
import Testing

/// Reports breaches to the test framework.
func report(_ breaches: [Breach], sourceLocation: SourceLocation = #_sourceLocation) {
    for breach in breaches.prefix(10) { Issue.record("\(breach)", sourceLocation: sourceLocation) }
    if breaches.count > 10 { Issue.record("and \(breaches.count - 10) more", sourceLocation: sourceLocation) }
}
