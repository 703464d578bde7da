import Foundation

/// What the current thread is doing, as far as it decides where database work is done.
enum ThreadRole: Int {
    case other
    /// It attaches what it waits for, and does that work itself where a connection is free.
    case waiting
    /// It works on a database queue, where waiting for other work could be for ever.
    case database

    private static let key = {
        var key = pthread_key_t()
        let code = pthread_key_create(&key, nil)
        precondition(code == 0, "The system has no room for one more value of each thread.")
        return key
    }()

    static var current: ThreadRole {
        // A number in the place of a pointer, which nobody follows.
        ThreadRole(rawValue: Int(bitPattern: pthread_getspecific(key))) ?? .other
    }

    /// Runs `body` in this role, and returns to the one before.
    func during<Output>(_ body: () -> Output) -> Output {
        let outer = Self.current
        set()
        defer { outer.set() }
        return body()
    }

    private func set() {
        pthread_setspecific(Self.key, UnsafeRawPointer(bitPattern: rawValue))
    }
}
