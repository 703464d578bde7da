import Signals
import SignalsTesting
import Testing

@testable import SignalRepository

@Suite("A live query with its sinks") struct LiveNodeTests {
    private func sink<Output>(_ query: LiveQuery<Output>) -> LiveSink<Output> {
        LiveSink(query, Recorder<Committed<Output>, RepositoryError>().sink)
    }

    @Test("R3 Nobody joins a query that all have left, or one of another output: its values would not come")
    func refused() {
        let query = LiveQuery { _ in 0 }
        let (node, first) = (QueryNode(query), sink(query))
        #expect(node.join(first, commit: 0, isDue: true))
        #expect(!node.join(sink(LiveQuery { _ in "" }), commit: 0, isDue: true))
        #expect(node.sinkIDs == [ObjectIdentifier(first)])
        first.cancel()
        #expect(!node.join(sink(query), commit: 0, isDue: true))
        #expect(node.sinkIDs == [ObjectIdentifier(first)])
    }
}
