import Foundation

/// Verifies that an entity's declaration reads back what it writes, with the items that are about to be stored.
///
/// A column names a property, and the initializer receives the values by their order: the compiler checks that the
/// types match, not that latitude and longitude are in the right order. So an item is encoded, decoded and encoded
/// again, and compared cell by cell. Where columns of one type hold the same value, an exchange of the two would not
/// show, and does no harm: they are verified with the first item in which they differ. No values are made up, because
/// an initializer may rely on what holds for all of the program's own.
final class SchemaProof<Item: Entity> {
    private let schema = Item.schema
    private var isTried = false
    /// The columns of one type that no item has told apart yet.
    private var alike: [[Int]]

    init() {
        let columns = Item.schema.columns
        let types = Dictionary(grouping: columns.indices) { ObjectIdentifier(columns[$0].plainType) }
        alike = types.values.filter { $0.count > 1 }
    }

    /// Whether no item can find a fault any more.
    var isComplete: Bool { isTried && alike.isEmpty }

    /// Verifies the declaration with an item, as far as earlier ones left it open.
    func verify(with item: Item) throws(RepositoryError) {
        guard !isTried || alike.contains(where: { tellsApart($0, item) }) else { return }
        // An item that cannot be stored is for the write to report.
        guard let own = try? schema.values(of: item) else { return }
        try verifyKey(of: item, own)
        let actual = try readBack(own)
        for place in own.indices where !schema.columns[place].isSame(actual[place], own[place]) {
            let source = own.indices.first { $0 != place && own[$0] == actual[place] }
            // What two encodings of one value have in common, only the column's own functions know.
            if source != nil || schema.columns[place].form != .free { throw fault(place, source) }
        }
        isTried = true
        alike = alike.flatMap { places in Dictionary(grouping: places) { own[$0] }.values }.filter { $0.count > 1 }
    }

    /// Whether an item has different values in some columns; of many items most do not, so only these are encoded.
    private func tellsApart(_ places: [Int], _ item: Item) -> Bool {
        let first = try? schema.columns[places[0]].encode(item)
        return places.dropFirst().contains { (try? schema.columns[$0].encode(item)) != first }
    }

    /// Throws when the item's id is not what the columns of its key hold.
    private func verifyKey(of item: Item, _ own: [SQLValue]) throws(RepositoryError) {
        let key = try schema.key
        guard let values = try? key.values(of: item.id) else { return }
        let held = key.names.map { name in schema.names.firstIndex(of: name).map { own[$0] } }
        guard held != values else { return }
        throw .misuse(detail: "the id of \(Item.entityName) is \(item.id), and \(key.name) holds another value")
    }

    /// What the declaration writes for the item that it reads from a row.
    private func readBack(_ values: [SQLValue]) throws(RepositoryError) -> [SQLValue] {
        let item: Item
        do {
            item = try schema.item(of: values)
        } catch {
            throw .misuse(detail: "what \(Item.entityName) writes it cannot read: \(error)")
        }
        return try schema.values(of: item)
    }

    private func fault(_ place: Int, _ source: Int?) -> RepositoryError {
        let name = "\(Item.entityName).\(schema.columns[place].name)"
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

/// How two encodings of one value compare.
enum StoredForm {
    /// They are equal.
    case exact
    /// They are equal as JSON, of which a set has no order.
    case json
    /// They may differ: a function of the program's own makes them.
    case free
}

/// A codec that says how its encodings compare; others are free.
protocol ComparableCodec {
    var form: StoredForm { get }
}

extension DirectCodec: ComparableCodec {
    var form: StoredForm { .exact }
}

extension JSONCodec: ComparableCodec {
    var form: StoredForm { .json }
}

extension NullableCodec: ComparableCodec {
    var form: StoredForm { (base as? any ComparableCodec)?.form ?? .free }
}

extension AnyColumn {
    /// The type of the column's values, without its optional.
    fileprivate var plainType: any Any.Type { (valueType as? any OptionalType.Type)?.wrapped ?? valueType }

    /// Whether two stored values are encodings of one value.
    func isSame(_ left: SQLValue, _ right: SQLValue) -> Bool {
        if left == right { return true }
        guard form == .json, case .text(let left) = left, case .text(let right) = right else { return false }
        return Self.canonical(left) == Self.canonical(right)
    }

    /// The JSON with its arrays in an order that depends on their elements alone.
    private static func canonical(_ text: String) -> String? {
        guard let value = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed) else {
            return nil
        }
        return canonical(value)
    }

    private static func canonical(_ value: Any) -> String {
        switch value {
        case let array as [Any]: "[" + array.map { canonical($0) }.sorted().joined(separator: ",") + "]"
        case let object as [String: Any]:
            "{" + object.map { "\($0.key.utf8.count):\($0.key)=" + canonical($0.value) }.sorted().joined(separator: ",")
                + "}"
        case let text as String: "\"\(text.utf8.count):\(text)\""
        default: "\(value)"
        }
    }
}

extension Schema {
    /// Whether two items are one in the store.
    ///
    /// JSON has no order for a set, and a function of the program's own may encode a value in two ways. So values that
    /// are stored differently are compared themselves, where they can be.
    func areStoredAlike(_ left: Root, _ right: Root) throws(RepositoryError) -> Bool {
        let (stored, other) = (try values(of: left), try values(of: right))
        return columns.indices.allSatisfy { place in
            let column = columns[place]
            if stored[place] == other[place] { return true }
            guard column.form != .exact, let value = left[keyPath: column.path] as? any Equatable else { return false }
            // Equal texts in Swift may be two in the store.
            guard column.form == .free || column.isSame(stored[place], other[place]) else { return false }
            return Self.isEqual(value, right[keyPath: column.path])
        }
    }

    private static func isEqual<Value: Equatable>(_ left: Value, _ right: Any) -> Bool { right as? Value == left }
}
