import SignalsTesting
import Testing

@testable import Signals

@Suite(.timeLimit(.minutes(5))) struct InboxTests {
    /// Counts what happened in a plain array, which only the worker may touch.
    private final class Book: @unchecked Sendable {
        // Safe because the pages are confined to the inbox, which is what these tests are about.
        var pages: [[Int]]
        let inbox = Inbox<(thread: Int, number: Int)>()

        init(threads: Int) { pages = Array(repeating: [], count: threads) }

        func write(_ event: (thread: Int, number: Int)) { pages[event.thread].append(event.number) }
    }

    @Test("S7 S9 events happen one at a time, none is lost, and those of one thread keep their order") func threads() {
        let book = Book(threads: 4)
        onThreads(4) { thread in
            for number in 0..<5_000 { book.inbox.submit((thread, number), book.write) }
        }
        #expect(book.pages.allSatisfy { $0 == Array(0..<5_000) })
        let isEmpty = book.inbox.isEmpty
        #expect(isEmpty)
    }

    @Test("S26 an event that comes from inside one happens after it") func nested() {
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

    @Test("S7 what is left for a worker that has gone is not there twice") func noWorker() {
        let inbox = Inbox<Int>()
        let isTaken = inbox.enqueueForWorker(1)
        let isEmpty = inbox.isEmpty
        #expect(!isTaken && isEmpty)
    }

    @Test("S34 what has happened is released") func release() {
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
