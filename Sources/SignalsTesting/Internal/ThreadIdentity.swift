import Foundation

/// Which thread this is, as long as it lives.
enum ThreadIdentity {
    static var current: ObjectIdentifier { ObjectIdentifier(Thread.current) }
}
