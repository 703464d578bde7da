/// Room for one value, the same for values of all types; its owner knows the type, and empties it.
///
/// Code that has to ask for the forms of generic types, at each step of each call, takes longer for that than for
/// reading an item.
package struct Slot: ~Copyable {
    private var value: UnsafeMutableRawPointer?

    package init() {}

    deinit { assert(value == nil, "A slot that nobody has emptied loses its value.") }

    package var isEmpty: Bool { value == nil }

    /// Keeps a value; called while the slot is empty.
    package mutating func fill<Value>(_ new: consuming Value) {
        assert(isEmpty, "A slot that is filled twice loses its value.")
        let made = UnsafeMutableRawPointer.allocate(
            byteCount: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment)
        // Safe because it holds a value of this type until `take` or `empty`, which forget it first.
        made.initializeMemory(as: Value.self, to: new)
        value = made
    }

    /// Gives the value away; called while there is one.
    package mutating func take<Value>(as type: Value.Type) -> Value {
        guard let taken = value.take() else { preconditionFailure("The slot is empty.") }
        defer { taken.deallocate() }
        return taken.assumingMemoryBound(to: Value.self).move()
    }

    package mutating func empty<Value>(of type: Value.Type) {
        guard let old = value.take() else { return }
        old.assumingMemoryBound(to: Value.self).deinitialize(count: 1)
        old.deallocate()
    }
}
