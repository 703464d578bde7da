import Signals
import SignalsTesting
import Testing

@testable import SignalRepository

@Suite(.timeLimit(.minutes(10))) struct MailboxTests {
    private typealias Latest = Mailbox<LatestValue>

    private func attach(
        _ recorder: Recorder<Committed<Int>, RepositoryError>,
        isSame: @escaping @Sendable (Int, Int) -> Bool = { $0 == $1 }
    ) -> Latest {
        attach(recorder, Latest(recorder.sink, isSame: isSame))
    }

    private func attach<Value, Content>(
        _ recorder: Recorder<Value, RepositoryError>, _ mailbox: Mailbox<Content>
    ) -> Mailbox<Content> {
        recorder.sink.receive(
            upstream: Upstream(request: { mailbox.request($0) }, cancel: { mailbox.cancel() }))
        return mailbox
    }

    private func changes(_ commit: Int) -> ChangeSet {
        ChangeSet(commit: commit, author: nil, time: .distantPast, extent: .unknown(.otherConnection), tables: [:])
    }

    @Test("R8 Of the values that come while none is wanted the latest waits") func latest() async {
        let recorder = Recorder<Committed<Int>, RepositoryError>(demand: .max(1))
        let mailbox = attach(recorder)
        mailbox.offer(1, 10)
        _ = await recorder.values(1)
        for number in 2...5 { mailbox.offer(number, number * 10) }
        recorder.request(.max(5))
        let values = await recorder.values(2)
        #expect(values.map(\.value) == [10, 50])
        recorder.cancel()
    }

    @Test("R7 A value that goes and comes back before it is wanted is not delivered") func comesBack() async {
        let recorder = Recorder<Committed<Int>, RepositoryError>(demand: .max(1))
        let mailbox = attach(recorder)
        mailbox.offer(1, 10)
        _ = await recorder.values(1)
        mailbox.offer(2, 20)
        mailbox.offer(3, 10)
        recorder.request(.max(1))
        mailbox.offer(4, 40)
        let values = await recorder.values(2)
        #expect(values.map(\.value) == [10, 40])
        recorder.cancel()
    }

    @Test("R8 A value that is delivered while the next is compared does not swallow that one") func race() async {
        let (isDelivered, isComparing) = (Gate(), Lock(false))
        let recorder = Recorder<Committed<Int>, RepositoryError>(demand: .max(1)) { _, event in
            if case .value(let value) = event, value.commit == 2 { isDelivered.open() }
        }
        let mailbox = attach(recorder) { left, right in
            // The comparison of the third value with the first lets the second one leave.
            if isComparing.withLock({ $0 }) {
                recorder.request(.max(1))
                isDelivered.wait()
            }
            return left == right
        }
        mailbox.offer(1, 10)
        _ = await recorder.values(1)
        mailbox.offer(2, 20)
        isComparing.withLock { $0 = true }
        mailbox.offer(3, 10)
        isComparing.withLock { $0 = false }
        recorder.request(.max(1))
        #expect(await recorder.values(3).map(\.value) == [10, 20, 10])
        recorder.cancel()
    }

    @Test("R11 A failure replaces a value that is not wanted, and comes after change sets that wait")
    func failure() async {
        let live = Recorder<Committed<Int>, RepositoryError>(demand: .none)
        let latest = attach(live)
        latest.offer(1, 10)
        latest.fail(.closed)
        #expect(await live.end() != nil)
        #expect(live.values.isEmpty && latest.isEnded)

        let listener = Recorder<ChangeSet, RepositoryError>(demand: .none)
        let backlog = attach(listener, Mailbox(listener.sink, ChangeBacklog(limit: 10)))
        backlog.offer(changes(1))
        backlog.offer(changes(2))
        backlog.fail(.closed)
        backlog.offer(changes(3))
        listener.request(.max(1))
        #expect(await listener.values(1).map(\.commit) == [1])
        #expect(!listener.isEnded)
        listener.request(.unlimited)
        #expect(await listener.end() != nil)
        #expect(listener.values.map(\.commit) == [1, 2])
    }

    @Test("R17 Beyond the bound one change set stands for all that waited") func bound() async {
        let recorder = Recorder<ChangeSet, RepositoryError>(demand: .none)
        let mailbox = attach(recorder, Mailbox(recorder.sink, ChangeBacklog(limit: 3)))
        for commit in 1...5 { mailbox.offer(changes(commit)) }
        mailbox.fail(.closed)
        recorder.request(.unlimited)
        #expect(await recorder.end() != nil)
        #expect(recorder.values.map(\.commit) == [4, 5])
        #expect(recorder.values.first?.extent == .unknown(.backlog))
    }

    @Test("S17 What a sink asks for in answer to a value counts") func answers() async {
        let recorder = Recorder<Committed<Int>, RepositoryError>(demand: .max(1), perValue: .max(1))
        let mailbox = attach(recorder)
        for commit in 1...3 {
            mailbox.offer(commit, commit)
            #expect(await recorder.values(commit).map(\.value) == Array(1...commit))
        }
        mailbox.cancel()
    }

    @Test("S34 A cancel releases the sink") func release() {
        final class Item: Sendable {}
        weak var watched: Item?
        let mailbox: Latest
        do {
            let item = Item()
            watched = item
            mailbox = Latest(
                Sink(
                    onUpstream: { _ in }, onValue: { _ in withExtendedLifetime(item) { .none } }, onCompletion: { _ in }
                ),
                isSame: { (one: Int, other: Int) in one == other })
        }
        mailbox.offer(1, 1)
        #expect(watched != nil)
        mailbox.cancel()
        #expect(watched == nil && mailbox.isEnded)
    }
}

extension Mailbox where Content == LatestValue {
    fileprivate convenience init<Value: Sendable>(
        _ sink: Sink<Committed<Value>, RepositoryError>, isSame: @escaping @Sendable (Value, Value) -> Bool
    ) {
        self.init(CommittedReceiver(sink), LatestValue(isSame: isSame))
    }

    fileprivate func offer<Value: Sendable>(_ commit: Int, _ value: Value) {
        if offer(CommittedBox(commit: commit, value: value)) { schedule() }
    }
}
