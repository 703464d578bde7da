import SignalsTesting
import Testing

@testable import Signals

@Suite(.timeLimit(.minutes(5))) struct InboxTests {
    /// Records events in plain arrays, which only the worker may touch.
    private final class Book: @unchecked Sendable {
        // Safe because the pages are confined to the inbox, as these tests check.
        var pages: [[Int]]
        let inbox = Inbox<(thread: Int, number: Int)>()

        init(threads: Int) { pages = Array(repeating: [], count: threads) }

        func write(_ event: (thread: Int, number: Int)) { pages[event.thread].append(event.number) }
    }

    @Test("S7 S9 events pass one at a time, none is lost, and each thread's events keep their order") func threads() {
        let book = Book(threads: 4)
        onThreads(4) { thread in
            for number in 0..<5_000 { book.inbox.submit((thread, number), book.write) }
        }
        #expect(book.pages.allSatisfy { $0 == Array(0..<5_000) })
        let isEmpty = book.inbox.isEmpty
        #expect(isEmpty)
    }

    @Test("S26 an event submitted inside another one is processed after it") func nested() {
        let inbox = Inbox<Int>()
        var seen: [Int] = []
        var nested = 0
        func process(_ event: Int) {
            if event < 100_000, inbox.submit(event + 1, process) { nested += 1 }
            seen.append(event)
        }
        let worked = inbox.submit(0, process)
        #expect(worked && nested == 0)
        #expect(seen == Array(0...100_000))
    }

    @Test func whatIsStoredWaitsForTheNextWorker() {
        let inbox = Inbox<Int>()
        var seen: [Int] = []
        inbox.enqueue(1)
        inbox.enqueue(2)
        let waits = !inbox.isEmpty
        #expect(waits && seen.isEmpty)
        let worked = inbox.work { seen.append($0) }
        #expect(worked && seen == [1, 2])
    }

    @Test("S7 an event for a worker that has left is not stored") func noWorker() {
        let inbox = Inbox<Int>()
        let isTaken = inbox.enqueueForWorker(1)
        let isEmpty = inbox.isEmpty
        #expect(!isTaken && isEmpty)
    }

    @Test("S34 a processed event is released") func release() {
        let inbox = Inbox<Count>()
        weak var watched: Count?
        do {
            let count = Count()
            watched = count
            inbox.enqueue(count)
        }
        #expect(watched != nil)
        inbox.work { _ in }
        #expect(watched == nil)
    }
}
