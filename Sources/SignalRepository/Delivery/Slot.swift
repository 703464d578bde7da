/// What a body comes to, kept for its delivery: neither a value nor an error is released in the transaction.
///
/// The one object of a run that knows the type of the value. Everything else has a form that is known when the library
/// is compiled: code that has to ask for the forms of generic types, at each step of each call, takes longer for that
/// than for reading an item.
///
/// Unchecked but safe because the work fills it before it notes its outcome under the run's lock, and who takes or
/// empties it has seen that outcome under that lock.
final class Slot<Value>: @unchecked Sendable {
    // Raw, because the form of a typed pointer would have to be asked for.
    private var value: UnsafeMutableRawPointer?
    private var error: (any Error)?

    deinit { empty() }

    /// Runs `body` and keeps what it returns or throws; again, in the place of the last time, if work is repeated.
    func fill(_ body: () throws -> Value) throws {
        empty()
        do {
            fill(try body())
        } catch {
            self.error = error
            throw error
        }
    }

    /// Keeps a value; called while it is empty.
    func fill(_ new: consuming Value) {
        let made = UnsafeMutableRawPointer.allocate(
            byteCount: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment)
        // Safe because it holds a value of this type until `take` or `empty`, which forget it first.
        made.initializeMemory(as: Value.self, to: new)
        value = made
    }

    /// Gives the value away; called while there is one.
    func take() -> Value {
        guard let taken = value.take() else { preconditionFailure("The slot is empty.") }
        defer { taken.deallocate() }
        return taken.assumingMemoryBound(to: Value.self).move()
    }

    func empty() {
        error = nil
        guard let old = value.take() else { return }
        old.assumingMemoryBound(to: Value.self).deinitialize(count: 1)
        old.deallocate()
    }
}
