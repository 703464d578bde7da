import Signals

extension Catalogue {
    /// A stream read by `for await`.
    static var streamValues: Row {
        let count = opaque(200_000)
        return Row(
            id: "stream.values", work: "1…N → for await", operations: count,
            bars: [.ofPeer(1)],
            ours: .timed("Signals") {
                waiting {
                    var sum = 0
                    for await value in Signal<Int, Never>.sequence(1...count).values { sum &+= value }
                    return sum
                }
            },
            peer: .timed("AsyncStream") {
                waiting {
                    let stream = AsyncStream<Int> { continuation in
                        for value in 1...count { continuation.yield(value) }
                        continuation.finish()
                    }
                    var sum = 0
                    for await value in stream { sum &+= value }
                    return sum
                }
            })
    }
}
