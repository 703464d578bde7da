import Foundation

/// A kind of value that the store manages in a column.
package enum ManagedValue: Sendable, Equatable {
    /// The key of an item, which the store assigns if the item's id is 0.
    case generated
    /// The time of the item's creation.
    case created
    /// The time of the item's last change.
    case updated
}

/// A column whose value the store manages.
struct ManagedColumn: Sendable {
    let index: Int
    let name: String
    let value: ManagedValue
}

extension AnyColumn {
    /// Throws for a column that an update cannot set: a computed one or, unless times are preserved, a creation time.
    func checkChangeable(preservingTimes: Bool) throws(RepositoryError) {
        if computation != nil {
            throw .misuse(detail: "\(Root.rowName).\(name) is computed by the store: it cannot be set")
        }
        guard managedValue == .created, !preservingTimes else { return }
        throw .misuse(
            detail:
                "\(Root.rowName).\(name) is the creation time, which the store manages: it can be set only by a write "
                + "that preserves times")
    }
}

extension Schema where Root: Entity {
    /// Returns the names of the columns that an update sets.
    ///
    /// These are all columns except the key, computed columns and, unless times are preserved, the creation time.
    package func changeableNames(preservingTimes: Bool = false) throws(RepositoryError) -> [String] {
        var fixed = try key.names
        if !preservingTimes { fixed += managedColumns.filter { $0.value == .created }.map(\.name) }
        return writtenNames.filter { !fixed.contains($0) }
    }

    /// Returns the index of the generated key's column if the store must assign an item's key, otherwise `nil`.
    func missingKeyIndex(of item: Root) -> Int? { needsGeneratedKey?(item) == true ? generatedIndex : nil }

    /// A test of whether the store replaces a given id by a generated key; `nil` if items provide the keys.
    var isMissingKey: (@Sendable (Root.ID) -> Bool)? {
        generatedIndex.flatMap { index in columns[index].isZero as? @Sendable (Root.ID) -> Bool }
    }

    /// Returns the item as it is stored: with rounded numbers and, unless `now` is `nil`, with `now` as managed times.
    func asStored(_ item: Root, at now: Date?) throws(RepositoryError) -> Root {
        guard isStoredAsOther else { return item }
        var values = try values(of: item)
        if let now {
            for column in managedColumns where column.value != .generated {
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

    /// Throws if the store cannot compute or manage a column as declared.
    func checkManaged() throws(RepositoryError) {
        if let column = columns.prefix(writtenCount).first(where: { $0.computation != nil }) {
            throw .misuse(
                detail: "\(entityName).\(column.name) is computed, but declared before a column that is not: declare "
                    + "computed columns last")
        }
        for column in columns where column.computation != nil {
            let isKey = try key.names.contains(column.name)
            guard isKey || column.managedValue != nil || column.defaultValue != nil || column.reference != nil else {
                continue
            }
            throw .misuse(
                detail: "\(entityName).\(column.name) is computed: it cannot be a key, a reference or managed, or have "
                    + "a default")
        }
        for column in managedColumns where column.value == .generated {
            let key = try key
            guard !key.isComposite, key.names == [column.name], columns[column.index].storageClass == .integer else {
                throw .misuse(
                    detail: "\(entityName).\(column.name) is generated, but only a key of one column can be generated")
            }
            guard let type = columns[column.index].valueType as? any FixedWidthInteger.Type, type.bitWidth >= 64 else {
                throw .misuse(
                    detail: "\(entityName).\(column.name) is generated, but its type does not have 64 bits")
            }
        }
    }
}
