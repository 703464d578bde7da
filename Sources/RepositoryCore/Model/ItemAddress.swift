import Foundation

/// The contents of a stored item's URL: `signal-repository://store/entity/key`.
///
/// A letter for the storage class precedes the stored key, so that different keys have different URLs.
struct ItemAddress: Equatable {
    static let scheme = "signal-repository"

    var store: String
    var entity: String
    var key: SQLValue

    /// The URL; `nil` for a key that no item can have.
    var url: URL? {
        guard let key = key.encodedText else { return nil }
        return URL(string: "\(Self.scheme)://\(store)/\(entity.percentEncoded)/\(key)")
    }
}

extension ItemAddress {
    /// Parses a URL; returns `nil` if it does not refer to an item.
    init?(_ url: URL) {
        let parts = url.absoluteString.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5, parts[0] == Self.scheme + ":", parts[1].isEmpty, !parts[2].isEmpty,
            let entity = parts[3].removingPercentEncoding, !entity.isEmpty,
            let key = SQLValue(encodedText: parts[4][...])
        else { return nil }
        self.init(store: parts[2], entity: entity, key: key)
    }
}
