import SignalsTesting
import Testing

@testable import Signals

@Suite struct AttachmentTests {
    private func upstream(_ cancels: Count) -> Upstream {
        Upstream(request: { _ in }, cancel: { cancels.raise() })
    }

    @Test("S4 takes one upstream, and cancels any other") func second() {
        let cancels = Count()
        let attachment = Attachment()
        #expect(attachment.receive(upstream: upstream(Count())))
        #expect(!attachment.receive(upstream: upstream(cancels)))
        #expect(cancels.value == 1 && !attachment.isClosed)
    }

    @Test("S5 remembers a cancel") func early() {
        let cancels = Count()
        let attachment = Attachment()
        attachment.cancel()
        #expect(!attachment.receive(upstream: upstream(cancels)))
        #expect(cancels.value == 1)
    }

    @Test("S10 S29 ends once, and cancels the upstream at most once") func once() {
        for _ in 0..<2_000 {
            let cancels = Count()
            let ends = Count()
            let attachment = Attachment()
            onThreads(3) { thread in
                switch thread {
                case 0: attachment.receive(upstream: upstream(cancels))
                case 1: attachment.cancel()
                default: if attachment.end() { ends.raise() }
                }
            }
            #expect(attachment.isClosed && cancels.value <= 1 && ends.value <= 1)
            #expect(ends.value == 1 || cancels.value == 1)
        }
    }

    @Test("S13 passes requests on only while it has an upstream") func request() {
        let asked = Lock<[Demand]>([])
        let attachment = Attachment()
        attachment.request(.max(1))
        attachment.receive(
            upstream: Upstream(request: { demand in asked.withLock { $0.append(demand) } }, cancel: {}))
        attachment.request(.max(2))
        attachment.request(.none)
        attachment.cancel()
        attachment.request(.max(3))
        #expect(asked.withLock { $0 } == [.max(2)])
    }

    @Test("S28 S34 cancels and releases its upstream once, even while other threads request") func borrowing() {
        for _ in 0..<2_000 {
            weak var watched: Count?
            let cancels = Count()
            let attachment = Attachment()
            do {
                let asked = Count()
                watched = asked
                attachment.receive(
                    upstream: Upstream(request: { _ in asked.raise() }, cancel: { cancels.raise() }))
            }
            onThreads(3) { thread in
                if thread == 0 { attachment.cancel() } else { for _ in 0..<10 { attachment.request(.max(1)) } }
            }
            #expect(watched == nil && cancels.value == 1)
        }
    }

    @Test("S34 releases its upstream at the end") func release() {
        weak var watched: Count?
        let attachment = Attachment()
        do {
            let count = Count()
            watched = count
            attachment.receive(upstream: upstream(count))
        }
        #expect(watched != nil)
        #expect(attachment.end() && watched == nil)
    }
}
