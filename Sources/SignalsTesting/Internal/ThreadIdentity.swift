import Foundation

/// Identifies the current thread, as long as it lives.
enum ThreadIdentity {
    static var current: ObjectIdentifier { ObjectIdentifier(Thread.current) }
}
