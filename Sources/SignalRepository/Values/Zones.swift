import Foundation
import Signals

/// The zones that have been named in statements: finding one costs more than asking it.
enum Zones {
    private static let known = Lock<[String: TimeZone]>([:])

    /// The zone with an identifier; `nil` for UTC.
    static func zone(_ identifier: String) -> TimeZone? {
        if identifier.isEmpty { return nil }
        return known.withLock { known in
            if let zone = known[identifier] { return zone }
            let zone = TimeZone(identifier: identifier)
            if known.count < 1_000 { known[identifier] = zone }
            return zone
        }
    }
}
