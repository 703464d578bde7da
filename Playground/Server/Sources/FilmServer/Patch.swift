import SignalRepository

/// The body of a request that changes an item: it sets the fields that it contains, and leaves the others.
///
/// A `null` clears an optional field.
struct Patch<Item: Patchable>: Decodable {
    let assignments: [Assignment<Item>]

    init(from decoder: any Decoder) throws {
        let fields = try decoder.fields(Item.patchable.map(\.name))
        assignments = try Item.patchable.filter { fields.contains($0.name) }.map { try $0.assignment(fields) }
    }
}

/// An item that clients may change in part.
protocol Patchable: Entity {
    /// The fields that clients may set.
    static var patchable: [PatchField<Self>] { get }
}

/// A field that a patch may contain, with the property that it sets.
struct PatchField<Item: Entity>: Sendable {
    let name: FieldName
    let assignment: @Sendable (KeyedDecodingContainer<FieldName>) throws -> Assignment<Item>

    init<Value: Decodable & Sendable>(_ name: FieldName, _ property: KeyPath<Item, Value> & Sendable) {
        self.name = name
        assignment = { .set(property, to: try $0.decode(Value.self, forKey: name)) }
    }
}

extension Film: Patchable {
    static let patchable = [
        PatchField("title", \Film.title), PatchField("studio", \.studio), PatchField("boxOffice", \.boxOffice),
    ]
}
