/// The item that an error is about: its entity, its id, and its index among the items of a batch.
///
/// ```swift
/// do {
///     try await repository.insert(movies).value()
/// } catch {
///     print(error.item?.index, error.item?.id)  // Optional(1203) Optional("E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
/// }
/// ```
public struct FailedItem: Sendable, Hashable, CustomStringConvertible {
    /// The name of the entity.
    public let entity: String
    /// The id as text; `nil` if the id could not be read.
    public let id: String?
    /// The index among the given items, counted from 0; `nil` if only one item was given.
    public let index: Int?

    /// Creates a failed item from its parts.
    public init(entity: String, id: String? = nil, index: Int? = nil) {
        self.entity = entity
        self.id = id
        self.index = index
    }

    /// The item as text.
    public var description: String {
        let name = id.map { "\(entity) \($0)" } ?? "\(entity) of unknown id"
        return index.map { "\(name) at index \($0)" } ?? name
    }
}

extension RepositoryError {
    /// The item that the error is about; `nil` if the error is about no item, or about several.
    ///
    /// - Complexity: O(1). A write that succeeds does no work for this property.
    public var item: FailedItem? {
        switch self {
        case .constraint(_, _, _, let item), .decoding(_, _, _, let item), .encoding(_, _, _, let item),
            .tooBig(_, let item):
            item
        case .notFound(let entity, let id):
            FailedItem(entity: entity, id: id)
        default: nil
        }
    }

    /// Returns the error with an item attached, if this kind of error has an item.
    func about(_ item: FailedItem) -> RepositoryError {
        switch self {
        case .constraint(let kind, let columns, let diagnosis, _):
            return .constraint(kind: kind, columns: columns, diagnosis: diagnosis, item: item)
        case .decoding(let entity, let column, let detail, _):
            return .decoding(entity: entity, column: column, detail: detail, item: item)
        case .encoding(let entity, let column, let detail, _):
            return .encoding(entity: entity, column: column, detail: detail, item: item)
        case .tooBig(let detail, _):
            return .tooBig(detail: detail, item: item)
        default:
            return self
        }
    }

    /// Returns the error with the index of its item in a batch; an error without an item stays as it is.
    package func at(_ index: Int) -> RepositoryError {
        guard let item else { return self }
        return about(FailedItem(entity: item.entity, id: item.id, index: index))
    }
}
