/// A table as declared, or as found in a store.
package struct TableShape: Sendable, Equatable {
    package var name: String
    package var columns: [ColumnShape]
    package var indexes: [IndexShape]

    /// The columns of a composite key, in the order of the key; empty if the key is one column.
    package var compositeKey: [String] = []
    /// The columns of the full-text index; only for a declared table.
    package var search: [String] = []
    package var checks: [CheckShape] = []
    package var references: [CompositeReferenceShape] = []
    /// The query of a view.
    package var view: String?

    package init(name: String, columns: [ColumnShape] = [], indexes: [IndexShape] = []) {
        (self.name, self.columns, self.indexes) = (name, columns, indexes)
    }

    /// The columns of the key, in the order of the key.
    package var key: [String] { compositeKey.isEmpty ? columns.filter(\.isKey).map(\.name) : compositeKey }
}

/// A column as declared, or as found in a store.
package struct ColumnShape: Sendable, Equatable {
    package var name: String
    /// The engine's name of the type.
    package var type: String
    /// The storage class of the values; `nil` for a type that no declared column has.
    package var storageClass: StorageClass?
    package var isOptional: Bool
    package var isKey: Bool
    /// Whether the store generates the key, and never reuses a key.
    package var isGenerated = false
    /// The default as it appears in the declaration.
    package var defaultLiteral: String?
    /// The default as a value; only for a declared column.
    package var defaultValue: SQLValue?
    package var reference: ReferenceShape?
    /// The expression from which the store computes the values.
    package var computation: String?
    /// The meaning of the values; `nil` if the type determines it, or the store does not record it.
    package var meaning: ColumnMeaning?
    /// The time that the store manages in the column, if any; only for a declared column.
    package var managedTime: ManagedValue?

    package init(
        name: String, type: String, storageClass: StorageClass? = nil, isOptional: Bool, isKey: Bool,
        isGenerated: Bool = false, defaultLiteral: String? = nil, reference: ReferenceShape? = nil,
        meaning: ColumnMeaning? = nil
    ) {
        (self.name, self.type, self.storageClass) = (name, type, storageClass)
        (self.isOptional, self.isKey, self.isGenerated) = (isOptional, isKey, isGenerated)
        (self.defaultLiteral, self.reference, self.meaning) = (defaultLiteral, reference, meaning)
    }
}

/// A foreign key of a column: a reference to the key of a table.
package struct ReferenceShape: Sendable, Equatable {
    package var table: String
    /// The name of the delete rule in SQL, such as CASCADE.
    package var rule: String

    package init(table: String, rule: String) { (self.table, self.rule) = (table, rule) }

    package var declaration: String { "REFERENCES \(Identifier.quoted(table)) ON DELETE \(rule)" }
}

package struct CompositeReferenceShape: Sendable, Equatable {
    package var columns: [String]
    package var reference: ReferenceShape

    package init(columns: [String], _ reference: ReferenceShape) {
        (self.columns, self.reference) = (columns, reference)
    }

    package var declaration: String { "FOREIGN KEY (\(Identifier.list(columns))) \(reference.declaration)" }
}

package struct CheckShape: Sendable, Equatable {
    package var name: String
    package var expression: String

    package init(name: String, expression: String) { (self.name, self.expression) = (name, expression) }

    /// Returns the name of the constraint, which the errors of an engine contain.
    package static func name(table: String, _ name: String) -> String { "check_\(table)(\(name))" }

    /// Returns whether the library made the constraint of this name for a declaration.
    ///
    /// Such a constraint is dropped when its declaration is removed.
    package static func isManaged(_ name: String) -> Bool {
        name.utf8.starts(with: "check_".utf8) && name.utf8.contains(UInt8(ascii: "(")) && name.utf8.last == 0x29
    }

    /// Returns the name in the declaration, or the name of the constraint if the library did not make it.
    package static func givenName(_ name: String) -> String {
        guard isManaged(name), let open = name.utf8.firstIndex(of: UInt8(ascii: "(")) else { return name }
        return String(name.utf8[open...].dropFirst().dropLast()) ?? name
    }

    package var declaration: String { "CONSTRAINT \(Identifier.quoted(name)) CHECK (\(expression))" }
}

/// An index that the schema declares, or that was found in a store.
package struct IndexShape: Sendable, Equatable {
    package var name: String
    package var columns: [String]
    package var isUnique: Bool
    /// The SQL after the name of the table in CREATE INDEX, if the columns do not determine it.
    package var definition: String?

    package init(name: String, columns: [String], isUnique: Bool, definition: String? = nil) {
        (self.name, self.columns, self.isUnique, self.definition) = (name, columns, isUnique, definition)
    }

    package static func name(table: String, columns: [String], isUnique: Bool) -> String {
        "\(isUnique ? "unique" : "index")_\(table)(\(columns.joined(separator: ",")))"
    }

    /// Returns whether the library made the index of this name for a declaration.
    ///
    /// Such an index is dropped when its declaration is removed. A migration may have renamed the table, so this
    /// method ignores the table's name.
    package static func isManaged(_ name: String) -> Bool {
        let bytes = name.utf8
        return (bytes.starts(with: "index_".utf8) || bytes.starts(with: "unique_".utf8))
            && bytes.contains(UInt8(ascii: "(")) && bytes.last == UInt8(ascii: ")")
    }
}
