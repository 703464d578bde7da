import SignalsTesting
import Testing

@testable import Signals

@Suite struct RingBufferTests {
    @Test("S8 first in, first out, across the end of its storage") func order() {
        var buffer = RingBuffer<Int>()
        var expected: [Int] = []
        for number in 0..<1_000 {
            buffer.append(number)
            expected.append(number)
            if number % 3 == 0 { #expect(buffer.popFirst() == expected.removeFirst()) }
        }
        #expect(buffer.count == expected.count && buffer.first == expected.first && buffer.last == expected.last)
        #expect(buffer.removeAll() == expected)
        #expect(buffer.isEmpty && buffer.popFirst() == nil && buffer.first == nil && buffer.last == nil)
    }

    @Test func theLastIsReplacedInPlace() {
        var buffer = RingBuffer<Int>()
        buffer.last = 1
        #expect(buffer.isEmpty)
        buffer.append(1)
        buffer.append(2)
        buffer.last = 3
        #expect(buffer.removeAll() == [1, 3])
    }

    @Test("S34 a removed element is released") func release() {
        weak var watched: Count?
        var buffer = RingBuffer<Count>()
        do {
            let count = Count()
            watched = count
            buffer.append(count)
        }
        _ = buffer.popFirst()
        #expect(watched == nil && buffer.isEmpty)
    }
}
