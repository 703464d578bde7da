import Foundation

/// A string that is compared and hashed by its UTF-8 bytes.
///
/// Swift considers "é" written as one scalar equal to "é" written as two scalars. SQLite does not, and neither do keys,
/// groups and sort orders in the store.
package struct ExactText: Sendable, Hashable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: Self, right: Self) -> Bool {
        let (left, right) = (left.text.utf8, right.text.utf8)
        guard left.count == right.count else { return false }
        // Safe because each pointer is used only inside its closure, and both strings have `right.count` bytes.
        let isSame = left.withContiguousStorageIfAvailable { one in
            right.withContiguousStorageIfAvailable { other -> Bool in
                guard let one = one.baseAddress, let other = other.baseAddress else { return true }
                return memcmp(one, other, right.count) == 0
            }
        }
        return (isSame ?? nil) ?? left.elementsEqual(right)
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
