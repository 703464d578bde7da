import Foundation

/// What the store itself puts in a column.
package enum KeptValue: Sendable, Equatable {
    /// The number of the row, for an item with the id 0.
    case generated
    /// The time of the item's creation.
    case created
    /// The time of its last change.
    case updated
}

/// A column whose value the store makes.
struct KeptColumn: Sendable {
    let index: Int
    let name: String
    let value: KeptValue
}

extension AnyColumn {
    /// Throws for columns that no change of an item sets: the time of its creation, unless times are preserved, and
    /// columns that the store computes.
    func checkChangeable(preservingTimes: Bool) throws(RepositoryError) {
        if computation != nil {
            throw .misuse(detail: "\(Root.rowName).\(name) is computed by the store: it cannot be set")
        }
        guard kept == .created, !preservingTimes else { return }
        throw .misuse(
            detail:
                "\(Root.rowName).\(name) is the time of an item's creation, which the store keeps: it cannot be set, "
                + "except by a write that preserves times")
    }
}

extension Schema where Root: Entity {
    /// The names of the columns that a change of an item sets: neither its key nor, unless times are preserved, the
    /// time of its creation.
    func changeableNames(preservingTimes: Bool = false) throws(RepositoryError) -> [String] {
        var fixed = try key.names
        if !preservingTimes { fixed += keptColumns.filter { $0.value == .created }.map(\.name) }
        return writtenNames.filter { !fixed.contains($0) }
    }

    /// The place of a key that the store gives to an item; `nil` when the item has one.
    func ungivenKey(of item: Root) -> Int? { isUngiven?(item) == true ? generatedIndex : nil }

    /// Whether an id is that of an item to which the store will give one; `nil` where the program gives the keys.
    var keyIsUngiven: (@Sendable (Root.ID) -> Bool)? {
        generatedIndex.flatMap { index in columns[index].isZero as? @Sendable (Root.ID) -> Bool }
    }

    /// The item as it is stored: with rounded numbers, and with the time of the write, or its own times for `nil`.
    func kept(_ item: Root, _ now: Date?) throws(RepositoryError) -> Root {
        guard isStoredAsOther else { return item }
        var values = try values(of: item)
        if let now {
            for column in keptColumns where column.value != .generated {
                values[column.index] = try columns[column.index].stored(now)
            }
        }
        return try self.item(of: values)
    }

    func item(_ item: Root, withKey key: Int64, at index: Int) throws(RepositoryError) -> Root {
        var values = try values(of: item)
        values[index] = .integer(key)
        return try self.item(of: values)
    }

    /// Throws when the store cannot make what columns are declared to hold.
    func checkKept() throws(RepositoryError) {
        if let column = columns.prefix(writtenCount).first(where: { $0.computation != nil }) {
            throw .misuse(
                detail: "\(entityName).\(column.name) is computed, and stands before a column that is not: computed "
                    + "columns come last")
        }
        for column in columns where column.computation != nil {
            let isKey = try key.names.contains(column.name)
            guard isKey || column.kept != nil || column.defaultValue != nil || column.reference != nil else { continue }
            throw .misuse(
                detail: "\(entityName).\(column.name) is computed: it is no key, refers to nothing, and has no default")
        }
        for column in keptColumns where column.value == .generated {
            let key = try key
            guard !key.isComposite, key.names == [column.name], columns[column.index].storageClass == .integer else {
                throw .misuse(
                    detail: "\(entityName).\(column.name) is generated, which only a key of one column can be")
            }
            guard let type = columns[column.index].valueType as? any FixedWidthInteger.Type, type.bitWidth >= 64 else {
                throw .misuse(
                    detail: "\(entityName).\(column.name) is generated, and numbers that the store gives have 64 bits")
            }
        }
    }
}
