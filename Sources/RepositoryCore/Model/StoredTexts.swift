/// A comparison of items that are equal in Swift but may have different texts in the store.
///
/// Swift considers "é" as one scalar equal to "é" as two scalars, but their bytes differ.
@usableFromInline
struct StoredTexts<Item: Fetchable>: Sendable {
    private let columns: [TextComparison<Item>]

    @usableFromInline
    init() { columns = Item.fetchSource.texts() }

    /// Whether equal items have the same text in the store.
    @usableFromInline
    func areSame(_ left: Item?, _ right: Item?) -> Bool {
        guard let left, let right else { return true }
        return columns.allSatisfy { $0(left, right) }
    }

    /// Whether equal arrays of items have the same text in the store.
    func areSame(_ left: [Item], _ right: [Item]) -> Bool {
        columns.allSatisfy { isSame in left.indices.allSatisfy { isSame(left[$0], right[$0]) } }
    }
}

/// A comparison of the stored text of one column in two items.
typealias TextComparison<Item> = @Sendable (Item, Item) -> Bool

extension Column {
    /// A comparison of the column's text; `nil` if the column does not hold text.
    var areTextsSame: TextComparison<Root>? {
        guard (opaque?.plainClass ?? codec.storageClass) == .text else { return nil }
        let stored = { @Sendable [path, codec, opaque] (item: Root) in
            let (value, places) = (item[keyPath: path], DecimalPlaces(0))
            return try? opaque?.plainValue(value, places) ?? codec.sqlValue(value, places)
        }
        return { stored($0) == stored($1) }
    }
}

extension ColumnValue where Self: Equatable {
    /// Whether two values are the same in the store.
    static func isSame(_ left: Self, _ right: Self) -> Bool {
        guard left == right else { return false }
        return storageClass != .text || (try? left.sqlValue(scale: 0)) == (try? right.sqlValue(scale: 0))
    }
}
