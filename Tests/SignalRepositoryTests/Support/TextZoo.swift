import Foundation
import SignalsTesting

@testable import RepositoryCore
@testable import SignalRepository

/// Texts that are easily confused or truncated: both Unicode forms, NUL, combining marks, empty and long texts.
enum TextZoo {
    static let texts = [
        "e\u{301}", "\u{e9}", "\u{212b}", "\u{c5}", "A\u{30a}", "a\0b", "a\0c", "a", "", "\0", "\u{301}", "\"\u{301}",
        "\u{1100}\u{1161}", "\u{ac00}", "T0", "t0", "\u{1f468}\u{200d}\u{1f469}",
        String(repeating: "long e\u{301} ", count: 1000), String(repeating: "long \u{e9} ", count: 1000),
    ]

    /// The texts that a store can hold.
    static func texts(_ kind: StoreKind) -> [String] { kind == .postgres ? texts.map(\.withoutNUL) : texts }

    static func random(_ random: inout SeededGenerator) -> String {
        // The longest texts are rare, because they make tests slow.
        let count = Int.random(in: 0..<16, using: &random) == 0 ? texts.count : texts.count - 2
        return texts[Int.random(in: 0..<count, using: &random)]
    }
}

extension String {
    /// The text as PostgreSQL can hold it.
    var withoutNUL: String { replacing("\0", with: "0") }
}

extension ExactText: Comparable {
    /// Whether the bytes of one come before those of another, as in the store.
    public static func < (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}

/// A value that can be compared as the store compares it: texts by their bytes.
protocol StoredValue: Sendable {
    func isStored(like other: Self) -> Bool
}

extension StoredValue where Self: Equatable {
    func isStored(like other: Self) -> Bool { self == other }
}

extension Int: StoredValue {}
extension Decimal: StoredValue {}
extension Double: StoredValue {}
extension Summary: StoredValue {}

extension String: StoredValue {
    func isStored(like other: String) -> Bool { ExactText(self) == ExactText(other) }
}

extension Optional: StoredValue where Wrapped: StoredValue {
    func isStored(like other: Wrapped?) -> Bool {
        guard let self, let other else { return self == nil && other == nil }
        return self.isStored(like: other)
    }
}

extension Array: StoredValue where Element: StoredValue {
    func isStored(like other: [Element]) -> Bool {
        count == other.count && zip(self, other).allSatisfy { $0.isStored(like: $1) }
    }
}

extension Grouped: StoredValue where Key: StoredValue, Value: StoredValue {
    func isStored(like other: Grouped) -> Bool { key.isStored(like: other.key) && value.isStored(like: other.value) }
}

extension Joined: StoredValue where Left: StoredValue, Right: StoredValue {
    func isStored(like other: Joined) -> Bool {
        left.isStored(like: other.left) && right.isStored(like: other.right)
    }
}

extension LeftJoined: StoredValue where Left: StoredValue, Right: StoredValue {
    func isStored(like other: LeftJoined) -> Bool {
        left.isStored(like: other.left) && right.isStored(like: other.right)
    }
}

extension Including: StoredValue where Item: StoredValue, Included: StoredValue {
    func isStored(like other: Including) -> Bool {
        item.isStored(like: other.item) && included.isStored(like: other.included)
    }
}
