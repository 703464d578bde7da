/// A check that an entity's schema reads back what it writes, using the items that are about to be stored.
///
/// A column names a property, but the decoding closure receives the values by position. The compiler checks at most
/// their types, and cannot see that latitude and longitude are exchanged. So the verifier encodes an item, decodes it,
/// encodes it again, and compares the encodings value by value. Each value must also be read as the type of its column.
/// Only different values can reveal a mistake. So the verifier uses items that show something new, until it has seen
///
/// - two values in each column, which reveal a property that is always read as the same value;
/// - `nil` and a value in each optional column, which reveal a `nil` that is read as something else;
/// - different values in any two columns of one storage class, which reveal that these columns are exchanged. As long
///   as the values are equal, the exchange does no harm.
///
/// The verifier never invents an item, because an initializer may rely on invariants of the program's own items.
final class SchemaVerifier<Item: Entity> {
    private let schema = Item.schema
    /// The first item, in separate memory so that comparing its bytes does not copy it.
    private let first = UnsafeMutablePointer<Item>.allocate(capacity: 1)
    /// The values of the first item, before encryption; `nil` until there is an item.
    private var firstValues: [SQLValue]?
    private var open: [OpenColumn]
    /// Groups of columns with one storage class; in each item so far, the columns of a group had equal values.
    private var equalColumns: [[Int]]

    init() {
        let columns = Item.schema.columns
        open = columns.indices.map { OpenColumn(position: $0, columns[$0].property) }
        equalColumns = Dictionary(grouping: columns.indices) { columns[$0].storageClass }.values.filter { $0.count > 1 }
    }

    deinit {
        if firstValues != nil { first.deinitialize(count: 1) }
        first.deallocate()
    }

    /// Whether no further item can reveal a mistake.
    var isComplete: Bool { firstValues != nil && open.isEmpty && equalColumns.isEmpty }

    /// Verifies the schema with an item if the item shows something that earlier items have not shown.
    func verify(with item: Item) throws(RepositoryError) {
        // Most items show nothing new. Comparing their bytes is enough to see this, without encoding them.
        guard mayShowMore(item) else { return }
        // If the item cannot be stored, the write reports it.
        guard let stored = try? schema.values(of: item), let own = try? schema.plain(stored, of: item),
            showsMore(item, own)
        else { return }
        try verifyKey(of: item, own)
        let actual = try readBack(stored)
        for position in own.indices
        where !schema.columns[position].plainEncoding.isSame(actual[position], own[position]) {
            let source = own.indices.first { $0 != position && own[$0] == actual[position] }
            // Custom functions may encode one value in several ways, so a difference alone is not a mistake.
            if source != nil || schema.columns[position].plainEncoding != .free { throw fault(position, source) }
        }
        note(item, own)
    }

    /// Whether an item may show something new, judging by its bytes.
    private func mayShowMore(_ item: Item) -> Bool {
        guard firstValues != nil else { return true }
        return withUnsafePointer(to: item) { item in
            let (bytes, others) = (UnsafeRawPointer(item), UnsafeRawPointer(first))
            for column in open where column.mayShowMore(bytes, others) { return true }
            for positions in equalColumns {
                for position in positions where !schema.columns[position].property.isSame(bytes, others) {
                    if areDistinguished(positions, item.pointee) { return true }
                    break
                }
            }
            return false
        }
    }

    private func areDistinguished(_ positions: [Int], _ item: Item) -> Bool {
        let first = try? schema.columns[positions[0]].encodePlainly(item)
        return positions.dropFirst().contains { (try? schema.columns[$0].encodePlainly(item)) != first }
    }

    private func showsMore(_ item: Item, _ own: [SQLValue]) -> Bool {
        guard let firstValues else { return true }
        let isDistinguished = equalColumns.contains { positions in positions.contains { own[$0] != own[positions[0]] } }
        return isDistinguished
            || open.contains { column in
                column.awaits(isNil: isNil(item, column.position))
                    || column.isConstant && own[column.position] != firstValues[column.position]
            }
    }

    private func isNil(_ item: Item, _ position: Int) -> Bool? {
        let column = schema.columns[position]
        // A computed property has no bytes in the item.
        guard column.property.isStored else { return (item[keyPath: column.path] as? any OptionalType)?.isNil }
        return withUnsafePointer(to: item) { column.property.isNil?(UnsafeRawPointer($0)) }
    }

    private func note(_ item: Item, _ own: [SQLValue]) {
        if firstValues == nil {
            first.initialize(to: item)
            firstValues = own
        }
        for index in open.indices {
            let position = open[index].position
            if own[position] != firstValues?[position] { open[index].isConstant = false }
            switch isNil(item, position) {
            case true?: open[index].lacksNil = false
            case false?: open[index].lacksValue = false
            case nil: break
            }
        }
        open.removeAll { $0.isKnown }
        equalColumns = equalColumns.flatMap { positions in Dictionary(grouping: positions) { own[$0] }.values }.filter {
            $0.count > 1
        }
    }

    private func verifyKey(of item: Item, _ own: [SQLValue]) throws(RepositoryError) {
        let key = try schema.key
        guard let values = try? key.values(of: item.id) else { return }
        let held = key.names.map { name in schema.names.firstIndex(of: name).map { own[$0] } }
        guard held != values else { return }
        throw .misuse(
            detail: "the id of \(Item.entityName) is \(item.id.displayText), and \(key.name) holds another value")
    }

    /// Decodes an item from stored values, encodes it again, and returns the new values before encryption.
    private func readBack(_ values: [SQLValue]) throws(RepositoryError) -> [SQLValue] {
        do throws(RepositoryError) {
            return try schema.plainValues(of: schema.checkedItem(of: values))
        } catch {
            throw .misuse(detail: "\(Item.entityName) cannot read what it writes: \(error.clause)")
        }
    }

    private func fault(_ position: Int, _ source: Int?) -> RepositoryError {
        let name = "\(Item.entityName).\(schema.columns[position].name)"
        guard let source else {
            return .misuse(
                detail: "\(name) does not come back as it was stored: its schema makes an item with another value")
        }
        let other = "\(Item.entityName).\(schema.columns[source].name)"
        return .misuse(
            detail: "\(name) comes back with the value of \(other): the columns are declared in another order than "
                + "they are read")
    }
}

/// A column in which the verifier has yet to see two different values or, if it is optional, both `nil` and a value.
private struct OpenColumn {
    let position: Int
    private let property: PropertyBytes
    /// Whether all items so far had the same value.
    var isConstant = true
    var lacksNil: Bool
    var lacksValue: Bool

    init(position: Int, _ property: PropertyBytes) {
        (self.position, self.property) = (position, property)
        (lacksNil, lacksValue) = (property.isOptional, property.isOptional)
    }

    var isKnown: Bool { !isConstant && !lacksNil && !lacksValue }

    /// Returns whether an item is the first one with `nil`, or the first one with a value, in this column.
    func awaits(isNil: Bool?) -> Bool { isNil.map { $0 ? lacksNil : lacksValue } ?? false }

    func mayShowMore(_ item: UnsafeRawPointer, _ first: UnsafeRawPointer) -> Bool {
        guard property.isStored else { return true }
        if lacksNil || lacksValue, let isNil = property.isNil?(item) {
            if isNil { return lacksNil }
            if lacksValue { return true }
        }
        return isConstant && !property.isSame(item, first)
    }
}

extension Schema where Root: Entity {
    /// Whether two items are the same in the store.
    ///
    /// The JSON of a set has no fixed order, and a custom function may encode a value in two ways. So if encodings
    /// differ, values that are `Equatable` are compared with `==`. Encrypted columns are compared before encryption.
    func areEqualWhenStored(_ left: Root, _ right: Root) throws(RepositoryError) -> Bool {
        let (stored, other) = (try plainValues(of: left), try plainValues(of: right))
        // Computed columns need no comparison, because the other columns determine them.
        return columns.indices.prefix(writtenCount).allSatisfy { position in
            let column = columns[position]
            if stored[position] == other[position] { return true }
            guard column.plainEncoding != .exact, let value = left[keyPath: column.path] as? any Equatable else {
                return false
            }
            // For JSON, `==` is not enough: the JSON may contain texts that are equal in Swift but differ in the store.
            guard column.plainEncoding == .free || column.plainEncoding.isSame(stored[position], other[position]) else {
                return false
            }
            return Self.isEqual(value, right[keyPath: column.path])
        }
    }

    private static func isEqual<Value: Equatable>(_ left: Value, _ right: Any) -> Bool { right as? Value == left }
}
