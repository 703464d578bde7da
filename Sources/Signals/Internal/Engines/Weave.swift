import Synchronization

/// The engine of operators that combine the values of several inputs: `combineLatest`, `zip`, `withLatest(from:)`.
///
/// Each input has a slot. A slot either is a queue or holds the latest value. Values of a queue are used once, and the
/// queue's bound limits how far the input may run ahead. The latest value is used repeatedly. All events pass through
/// the inbox. The first failure ends the run and cancels all inputs. If there is demand, a new value and a value in
/// every slot, `make` makes one output from the slots.
@usableFromInline
final class Weave<Output: Sendable, Failure: Error>: Engine, @unchecked Sendable {
    /// The state of one input.
    ///
    /// The subclass `Slot` holds the input's values.
    @usableFromInline
    class AnySlot: @unchecked Sendable {
        // Safe because the variables are confined to the inbox of the weave, and the rest is constant or atomic.
        @usableFromInline let queueBound: Int?
        @inlinable var isReady: Bool { false }
        @usableFromInline var hasEnded = false
        @usableFromInline var freed = 0
        @usableFromInline let attachment = Attachment()
        @usableFromInline let pendingDemand = PendingDemand()

        @inlinable
        init(queueBound: Int?) { self.queueBound = queueBound }

        /// Counts a used value.
        ///
        /// Once half of the queue is free, adds pending demand for all used values and returns true, so that one
        /// request serves several values.
        @inlinable
        func refill() -> Bool {
            guard let queueBound, !hasEnded else { return false }
            freed += 1
            guard freed * 2 >= queueBound else { return false }
            pendingDemand.add(.max(freed))
            freed = 0
            return true
        }

        @inlinable
        func clear() {}
    }

    @usableFromInline
    final class Slot<Value: Sendable>: AnySlot, @unchecked Sendable {
        // Safe because it is confined to the inbox of the weave, like the other variables of the slot.
        @usableFromInline @exclusivity(unchecked) var values = RingBuffer<Value>()
        @inlinable override var isReady: Bool { !values.isEmpty }

        @inlinable
        func put(_ value: Value) {
            if queueBound == nil { _ = values.popFirst() }
            values.append(value)
        }

        /// Returns the value to use: takes it from a queue, or copies the latest value.
        @inlinable
        func take() -> Value? { queueBound == nil ? values.last : values.popFirst() }

        @inlinable
        override func clear() { _ = values.removeAll() }
    }

    // Safe because these variables are confined to `inbox`, and the other properties are constant or atomic.
    @usableFromInline @exclusivity(unchecked) var next: Sink<Output, Failure>?
    @usableFromInline let stage: StaticString
    @usableFromInline @exclusivity(unchecked) var isFresh = false
    // Set by `start` before it attaches the inputs, and constant afterwards.
    @usableFromInline @exclusivity(unchecked) var slots: [AnySlot] = []
    /// Whether some slots are queues; constant after `start`.
    @usableFromInline var hasQueues = false
    /// Whether some slots are queues and other slots hold only the latest value; constant after `start`.
    @usableFromInline var isMixed = false
    @usableFromInline @exclusivity(unchecked) var anyEnded = false
    @usableFromInline @exclusivity(unchecked) var make: (@Sendable () -> Output?)?
    @usableFromInline let inbox = Inbox<@Sendable () -> Void>()
    @usableFromInline let demand = DemandCounter()
    /// Whether some input has pending demand.
    @usableFromInline let owes = Atomic(false)

    @inlinable
    init(_ next: Sink<Output, Failure>, stage: StaticString) { (self.next, self.stage) = (next, stage) }

    /// Gives the sink its upstream and attaches all inputs, one after another, until one of them ends the run.
    @inlinable
    func start(_ slots: [AnySlot], make: @escaping @Sendable () -> Output?, attach: [@Sendable () -> Void]) {
        self.slots = slots
        hasQueues = slots.contains { $0.queueBound != nil }
        isMixed = hasQueues && slots.contains { $0.queueBound == nil }
        self.make = make
        next?.receive(
            upstream: Upstream(
                request: { [self] requested in
                    demand.add(hasQueues ? requested.needed : requested)
                    if inbox.quietly({ isWaitingForInputs }) != true { control { self.passOn() } }
                },
                cancel: { [self] in
                    demand.close()
                    control { self.release() }
                }))
        for attach in attach where !demand.isClosed { attach() }
    }

    @inlinable
    func attach<Value>(_ signal: Signal<Value, Failure>, to slot: Slot<Value>) {
        let ahead: Demand = slot.queueBound.map { .max($0) } ?? .unlimited
        signal.run(
            into: Sink(
                onUpstream: { upstream in
                    if slot.attachment.receive(upstream: upstream) { slot.attachment.request(ahead) }
                },
                onValue: { [self] value in
                    if inbox.enter() {
                        put(value, in: slot)
                        inbox.leave { $0() }
                        settle()
                    } else {
                        inbox.submit({ self.put(value, in: slot) }, to: self)
                    }
                    return .none
                },
                onCompletion: { [self] completion in inbox.submit({ self.end(slot, completion) }, to: self) }))
    }

    @inlinable
    func process(_ event: @Sendable () -> Void) { event() }

    @inlinable
    func settle() {
        // Most values add no pending demand. Then the inputs need not be checked.
        guard owes.load(ordering: .relaxed), owes.exchange(false, ordering: .acquiringAndReleasing) else { return }
        for slot in slots {
            let pendingDemand = slot.pendingDemand.take()
            if pendingDemand > .none { slot.attachment.request(pendingDemand) }
        }
    }

    @inlinable
    func put<Value>(_ value: Value, in slot: Slot<Value>) {
        guard next != nil else { return DiscardHook.report(value, .siblingFailed, stage: stage) }
        // If a slot still lacks its latest value, a value for a queue is dropped, and one more value is requested.
        if isMixed, slot.queueBound != nil, slots.contains(where: { $0.queueBound == nil && !$0.isReady }) {
            slot.pendingDemand.add(.max(1))
            return owes.store(true, ordering: .releasing)
        }
        slot.put(value)
        isFresh = true
        passOn()
    }

    /// Whether a request has nothing to deliver until an input delivers a value.
    @inlinable var isWaitingForInputs: Bool { !anyEnded && !(isFresh && slots.allSatisfy { $0.isReady }) }

    @inlinable
    func passOn() {
        while isFresh, slots.allSatisfy({ $0.isReady }), demand.takeOne() {
            isFresh = hasQueues
            guard let output = make?(), let more = next?.receive(output) else { break }
            if more > .none { demand.add(hasQueues ? more.needed : more) }
            guard hasQueues else { continue }
            for slot in slots where slot.refill() { owes.store(true, ordering: .releasing) }
        }
        if anyEnded { finishIfDone() }
    }

    @inlinable
    func end(_ slot: AnySlot, _ completion: Completion<Failure>) {
        slot.hasEnded = true
        anyEnded = true
        _ = slot.attachment.end()
        if case .failure = completion { return finish(completion) }
        finishIfDone()
    }

    /// Finishes the run if no further output can come.
    ///
    /// That is the case if an input has ended and its slot is empty. Without queues, it is also the case if all inputs
    /// have ended and no value is new.
    @inlinable
    func finishIfDone() {
        guard next != nil else { return }
        let isDry = slots.contains { $0.hasEnded && !$0.isReady }
        let isSettled = !hasQueues && !isFresh && slots.allSatisfy(\.hasEnded)
        if isDry || isSettled { finish(.finished) }
    }

    @inlinable
    func finish(_ completion: Completion<Failure>) {
        // If the demand was already closed, the sink has cancelled, perhaps during the previous delivery. Nothing
        // follows a cancel.
        let isWanted = demand.close()
        guard let last = next.take(), isWanted else {
            release()
            return DiscardHook.report(late: completion, stage: stage)
        }
        release()
        last.receive(completion: completion)
    }

    @inlinable
    func release() {
        next = nil
        make = nil
        for slot in slots {
            slot.attachment.cancel()
            slot.clear()
        }
    }
}

extension Signal {
    /// Returns a signal that combines inputs with the same queue bound; a bound of nil keeps only the latest values.
    @inlinable
    static func woven<each Input: Sendable>(
        _ inputs: repeat Signal<each Input, Failure>, queueBound: Int?, stage: StaticString
    ) -> Signal where Value == (repeat each Input) {
        Signal(trusted: { next in
            let weave = Weave(next, stage: stage)
            let inputSlots = (repeat Weave<Value, Failure>.Slot<each Input>(queueBound: queueBound))
            var slots: [Weave<Value, Failure>.AnySlot] = []
            var attaches: [@Sendable () -> Void] = []
            for (slot, input) in repeat (each inputSlots, each inputs) {
                slots.append(slot)
                attaches.append { weave.attach(input, to: slot) }
            }
            weave.start(slots, make: { try? (repeat taken(each inputSlots)) }, attach: attaches)
        })
    }

    /// Returns a signal that combines two inputs with their own bounds; a bound of nil keeps only the latest value.
    ///
    /// It exists because the compiler does not specialize parameter packs, and two inputs are the most common case.
    @inlinable
    static func woven<First: Sendable, Second: Sendable>(
        _ first: Signal<First, Failure>, bound: Int?, _ second: Signal<Second, Failure>, bound secondBound: Int?,
        startingWithSecond: Bool = false, stage: StaticString
    ) -> Signal where Value == (First, Second) {
        Signal(trusted: { next in
            let weave = Weave(next, stage: stage)
            let left = Weave<Value, Failure>.Slot<First>(queueBound: bound)
            let right = Weave<Value, Failure>.Slot<Second>(queueBound: secondBound)
            let attaches: [@Sendable () -> Void] = [
                { weave.attach(first, to: left) }, { weave.attach(second, to: right) },
            ]
            weave.start(
                [left, right],
                make: {
                    guard let value = left.take(), let other = right.take() else { return nil }
                    return (value, other)
                },
                attach: startingWithSecond ? attaches.reversed() : attaches)
        })
    }

    /// Returns a signal that combines three inputs with the same queue bound, without a parameter pack.
    @inlinable
    static func woven<First: Sendable, Second: Sendable, Third: Sendable>(
        _ first: Signal<First, Failure>, _ second: Signal<Second, Failure>, _ third: Signal<Third, Failure>,
        bound: Int?, stage: StaticString
    ) -> Signal where Value == (First, Second, Third) {
        Signal(trusted: { next in
            let weave = Weave(next, stage: stage)
            let one = Weave<Value, Failure>.Slot<First>(queueBound: bound)
            let two = Weave<Value, Failure>.Slot<Second>(queueBound: bound)
            let three = Weave<Value, Failure>.Slot<Third>(queueBound: bound)
            weave.start(
                [one, two, three],
                make: {
                    guard let first = one.take(), let second = two.take(), let third = three.take() else { return nil }
                    return (first, second, third)
                },
                attach: [
                    { weave.attach(first, to: one) }, { weave.attach(second, to: two) },
                    { weave.attach(third, to: three) },
                ])
        })
    }

    /// Returns a signal that combines any number of inputs of one type, all with the same queue bound.
    @inlinable
    static func woven(
        _ inputs: [Signal], queueBound: Int?, stage: StaticString
    ) -> Signal<[Value], Failure> {
        if inputs.isEmpty { return .empty() }
        return Signal<[Value], Failure>(trusted: { next in
            let weave = Weave(next, stage: stage)
            let slots = inputs.map { _ in Weave<[Value], Failure>.Slot<Value>(queueBound: queueBound) }
            weave.start(
                slots,
                make: {
                    let values = slots.compactMap { $0.take() }
                    return values.count == slots.count ? values : nil
                },
                attach: Swift.zip(inputs, slots).map { input, slot in { weave.attach(input, to: slot) } })
        })
    }
}

@usableFromInline
struct NotReady: Error {
    @inlinable
    init() {}
}

/// Returns the value of a slot that the weave has found ready; throws if the slot is empty.
@inlinable
func taken<Value, Output, Failure>(_ slot: Weave<Output, Failure>.Slot<Value>) throws(NotReady) -> Value {
    guard let value = slot.take() else { throw NotReady() }
    return value
}
