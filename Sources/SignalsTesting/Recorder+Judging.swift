import Signals

extension Recorder.State {
    /// Notes what is wrong with an event that happens now.
    mutating func judge(_ event: Recorder.Event, outer: ThreadIdentity?, here: ThreadIdentity) {
        if log.isEmpty { breaches.append(Breach("S1", "\(event) came before the upstream.")) }
        if let outer {
            breaches.append(
                outer == here
                    ? Breach("S24", "\(event) came inside another delivery.")
                    : Breach("S7", "\(event) came while another thread was delivering."))
        }
        if isEnded { breaches.append(Breach(event.isValue ? "S9" : "S10", "\(event) came after the end.")) }
        judgeAfterCancel(event, here)
        if event.isValue, let limit = requested.limit, delivered >= limit {
            breaches.append(Breach("S14", "\(event) came beyond the \(limit) values that were requested."))
        }
    }

    private mutating func judgeAfterCancel(_ event: Recorder.Event, _ here: ThreadIdentity) {
        guard !cancelled.isEmpty else { return }
        if cancelled.contains(here) {
            breaches.append(Breach(event.isValue ? "S30" : "S31", "\(event) came after this thread had cancelled."))
        } else if cancelReturned {
            inFlight += 1
            if inFlight > 1 {
                breaches.append(Breach("S30", "\(event) came after a cancel, beyond the one in flight."))
            }
        }
    }
}

extension Recorder.Event {
    var isValue: Bool { if case .value = self { true } else { false } }
}
