import Foundation
import Signals

/// A cache of the time zones named in statements, because finding a zone costs more than using it.
package enum Zones {
    private static let known = Lock<[String: TimeZone]>([:])

    /// Returns the time zone with an identifier, or `nil` for UTC, whose identifier is empty.
    package static func zone(_ identifier: String) -> TimeZone? {
        if identifier.isEmpty { return nil }
        return known.withLock { known in
            if let zone = known[identifier] { return zone }
            let zone = TimeZone(identifier: identifier)
            if known.count < 1_000 { known[identifier] = zone }
            return zone
        }
    }
}
