/// A first-in first-out queue that reuses its storage.
///
/// `append` takes amortized constant time and `popFirst` constant time, while `Array.removeFirst` takes O(n).
@usableFromInline
package struct RingBuffer<Element> {
    @usableFromInline var storage: [Element?]
    @usableFromInline var head = 0
    @usableFromInline var count = 0

    @inlinable
    package init() { storage = [] }

    @inlinable package var isEmpty: Bool { count == 0 }

    @inlinable
    package mutating func append(_ element: Element) {
        if count == storage.count { grow() }
        storage[(head + count) & (storage.count - 1)] = element
        count += 1
    }

    @inlinable
    package mutating func popFirst() -> Element? {
        if count == 0 { return nil }
        let element = storage[head].take()
        head = (head + 1) & (storage.count - 1)
        count -= 1
        return element
    }

    @inlinable
    var first: Element? { count == 0 ? nil : storage[head] }

    /// The newest element, which can be replaced in place.
    @inlinable
    var last: Element? {
        get { count == 0 ? nil : storage[(head + count - 1) & (storage.count - 1)] }
        set { if count > 0, let newValue { storage[(head + count - 1) & (storage.count - 1)] = newValue } }
    }

    @inlinable
    mutating func removeLast() {
        if count == 0 { return }
        count -= 1
        storage[(head + count) & (storage.count - 1)] = nil
    }

    @inlinable
    mutating func removeAll() -> [Element] {
        var all: [Element] = []
        all.reserveCapacity(count)
        while let element = popFirst() { all.append(element) }
        return all
    }

    /// Doubles the storage; its size stays a power of two, so that an index wraps with a mask.
    @inlinable
    mutating func grow() {
        var larger = [Element?](repeating: nil, count: max(8, storage.count * 2))
        for index in 0..<count { larger[index] = storage[(head + index) & (storage.count - 1)] }
        storage = larger
        head = 0
    }
}

extension RingBuffer: Sendable where Element: Sendable {}
