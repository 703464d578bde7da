/// Untyped storage for one value.
///
/// The owner knows the value's type, and must empty the slot before releasing it; otherwise the value leaks.
///
/// A slot lets the code around it stay non-generic. Generic code looks up type metadata at each step of each call.
/// Together, these lookups take longer than reading a row from a database.
package struct Slot: ~Copyable {
    private var value: UnsafeMutableRawPointer?

    package init() {}

    deinit { assert(value == nil, "A slot is released with its value: empty it first.") }

    package var isEmpty: Bool { value == nil }

    /// Stores a value; the slot must be empty.
    package mutating func fill<Value>(_ new: consuming Value) {
        assert(isEmpty, "The slot holds a value already: empty it first.")
        let made = UnsafeMutableRawPointer.allocate(
            byteCount: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment)
        // Safe because the memory holds a value of this type until `take` or `empty`, which clear the pointer first.
        made.initializeMemory(as: Value.self, to: new)
        value = made
    }

    /// Takes the value out; the slot must not be empty.
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
