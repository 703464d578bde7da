/// Verifies that an entity's declaration reads back what it writes, with the items that are about to be stored.
///
/// A column names a property, and a closure receives the values by their order: the compiler checks at best that the
/// types match, not that latitude and longitude are in the right order. So an item is encoded, decoded and encoded
/// again, and compared cell by cell; and each value must be read as the type of its column. An item shows only what its
/// values tell apart. So each is verified that shows something new, until there have been
///
/// - two values in each column: what reads one and the same is found;
/// - `nil` and a value in each optional one: what reads `nil` as something else is found;
/// - different values in each two columns of one storage class: what exchanges them is found, and until then does no
///   harm.
///
/// No values are made up, because an initializer may rely on what holds for all of the program's own.
final class SchemaProof<Item: Entity> {
    private let schema = Item.schema
    /// The first item, in memory of its own, because a look at it must not copy it.
    private let first = UnsafeMutablePointer<Item>.allocate(capacity: 1)
    /// What the first item is stored as; `nil` before there is one.
    private var firstValues: [SQLValue]?
    private var open: [OpenColumn]
    /// The columns of one storage class that no item has told apart yet.
    private var alike: [[Int]]

    init() {
        let columns = Item.schema.columns
        open = columns.indices.map { OpenColumn(position: $0, columns[$0].property) }
        alike = Dictionary(grouping: columns.indices) { columns[$0].storageClass }.values.filter { $0.count > 1 }
    }

    deinit {
        if firstValues != nil { first.deinitialize(count: 1) }
        first.deallocate()
    }

    /// Whether no item can find a fault any more.
    var isComplete: Bool { firstValues != nil && open.isEmpty && alike.isEmpty }

    /// Verifies the declaration with an item, as far as earlier ones left it open.
    func verify(with item: Item) throws(RepositoryError) {
        // Of many items most show nothing new; only of the others is more than a look taken.
        guard mayShowMore(item) else { return }
        // An item that cannot be stored is for the write to report.
        guard let stored = try? schema.values(of: item), let own = try? schema.plain(stored, of: item),
            showsMore(item, own)
        else { return }
        try verifyKey(of: item, own)
        let actual = try readBack(stored)
        for position in own.indices where !schema.columns[position].plainForm.isSame(actual[position], own[position]) {
            let source = own.indices.first { $0 != position && own[$0] == actual[position] }
            // What two encodings of one value have in common, only the column's own functions know.
            if source != nil || schema.columns[position].plainForm != .free { throw fault(position, source) }
        }
        note(item, own)
    }

    /// Whether an item may show what no other has shown, as far as its bytes tell.
    private func mayShowMore(_ item: Item) -> Bool {
        guard firstValues != nil else { return true }
        return withUnsafePointer(to: item) { item in
            let (bytes, others) = (UnsafeRawPointer(item), UnsafeRawPointer(first))
            for column in open where column.mayShowMore(bytes, others) { return true }
            for positions in alike {
                for position in positions where !schema.columns[position].property.isSame(bytes, others) {
                    if tellsApart(positions, item.pointee) { return true }
                    break
                }
            }
            return false
        }
    }

    private func tellsApart(_ positions: [Int], _ item: Item) -> Bool {
        let first = try? schema.columns[positions[0]].encodePlainly(item)
        return positions.dropFirst().contains { (try? schema.columns[$0].encodePlainly(item)) != first }
    }

    private func showsMore(_ item: Item, _ own: [SQLValue]) -> Bool {
        guard let firstValues else { return true }
        let isToldApart = alike.contains { positions in positions.contains { own[$0] != own[positions[0]] } }
        return isToldApart
            || open.contains { column in
                column.awaits(isNil: isNil(item, column.position))
                    || column.isConstant && own[column.position] != firstValues[column.position]
            }
    }

    private func isNil(_ item: Item, _ position: Int) -> Bool? {
        let column = schema.columns[position]
        // A computed property has no bytes to look at.
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
        alike = alike.flatMap { positions in Dictionary(grouping: positions) { own[$0] }.values }.filter {
            $0.count > 1
        }
    }

    private func verifyKey(of item: Item, _ own: [SQLValue]) throws(RepositoryError) {
        let key = try schema.key
        guard let values = try? key.values(of: item.id) else { return }
        let held = key.names.map { name in schema.names.firstIndex(of: name).map { own[$0] } }
        guard held != values else { return }
        throw .misuse(detail: "the id of \(Item.entityName) is \(item.id.spelled), and \(key.name) holds another value")
    }

    /// What the declaration writes for the item that it reads from a row.
    private func readBack(_ values: [SQLValue]) throws(RepositoryError) -> [SQLValue] {
        do throws(RepositoryError) {
            return try schema.plainValues(of: schema.checkedItem(of: values))
        } catch {
            throw .misuse(detail: "what \(Item.entityName) writes it cannot read: \(error.clause)")
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
            detail: "\(name) comes back with the value of \(other): the columns stand in another order than the "
                + "initializer takes them")
    }
}

/// What items have not shown yet of a column.
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

    /// Whether `nil`, or a value, is what is still to be seen.
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
    /// Whether two items are one in the store.
    ///
    /// JSON has no order for a set, and a function of the program's own may encode a value in two ways. So values that
    /// are stored differently are compared themselves, where they can be. What is encrypted is compared as it would be
    /// stored without.
    func areStoredAlike(_ left: Root, _ right: Root) throws(RepositoryError) -> Bool {
        let (stored, other) = (try plainValues(of: left), try plainValues(of: right))
        // What the store computes follows from the rest.
        return columns.indices.prefix(writtenCount).allSatisfy { position in
            let column = columns[position]
            if stored[position] == other[position] { return true }
            guard column.plainForm != .exact, let value = left[keyPath: column.path] as? any Equatable else {
                return false
            }
            // Equal texts in Swift may be two in the store.
            guard column.plainForm == .free || column.plainForm.isSame(stored[position], other[position]) else {
                return false
            }
            return Self.isEqual(value, right[keyPath: column.path])
        }
    }

    private static func isEqual<Value: Equatable>(_ left: Value, _ right: Any) -> Bool { right as? Value == left }
}
