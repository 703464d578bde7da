public import Foundation

/// An attribute of a column beyond its name and type.
public struct ColumnOption<Value: Sendable>: Sendable {
    enum Kind: Sendable {
        case key
        case indexed
        case unique
        case defaultValue(Value)
        case scale(Int, Decimal.RoundingMode?)
        case reference(ColumnReference)
        case managed(ManagedValue)
        /// The store assigns the key of items whose id passes the test.
        case generated(@Sendable (Value) -> Bool)
    }

    let kind: Kind

    /// The column is the entity's key.
    ///
    /// Needed only if its path is not simply `\.id`.
    public static var key: Self { Self(kind: .key) }
    /// The column has an index, so that conditions and orderings on it are fast.
    public static var indexed: Self { Self(kind: .indexed) }
    /// No two items have the same value, except for `nil`.
    public static var unique: Self { Self(kind: .unique) }
    /// Items that were stored before the column existed get this value.
    public static func `default`(_ value: Value) -> Self { Self(kind: .defaultValue(value)) }
    /// The number of decimal places, 0 to 18, that a `Decimal` is stored with; 4 by default.
    ///
    /// A number with more places cannot be stored.
    public static func scale(_ places: Int) -> Self { Self(kind: .scale(places, nil)) }

    /// The number of decimal places, 0 to 18, that a `Decimal` is stored with; a number with more is rounded to them.
    ///
    /// An item that is read back has the rounded number. The values of conditions are not rounded.
    public static func scale(_ places: Int, rounding mode: Decimal.RoundingMode) -> Self
    where Value: ColumnValue, Value.Plain == Decimal {
        Self(kind: .scale(places, mode))
    }

    /// The column holds the id of an item of another entity, which must exist, or `nil` if it is optional.
    public static func references<Target: Entity>(
        _ target: Target.Type, onDelete rule: DeleteRule = .restrict
    ) -> Self where Value: ColumnValue, Value.Plain == Target.ID.Plain {
        Self(kind: .reference(ColumnReference(target, rule)))
    }
}

// Unavailable options, so that the compiler says which types can have them.
extension ColumnOption {
    /// Does not compile: only whole numbers are generated.
    @available(*, unavailable, message: "the store generates numbers: a generated key is an Int or an Int64")
    @_disfavoredOverload
    public static var generated: Self { Self(kind: .key) }

    /// Does not compile: only a date that is not optional is managed.
    @available(*, unavailable, message: "the store manages a property of type Date, not an optional one")
    @_disfavoredOverload
    public static var created: Self { Self(kind: .key) }

    /// Does not compile: only a date that is not optional is managed.
    @available(*, unavailable, message: "the store manages a property of type Date, not an optional one")
    @_disfavoredOverload
    public static var updated: Self { Self(kind: .key) }
}

extension ColumnOption where Value: FixedWidthInteger {
    /// The store assigns the key: an item with the id 0 is stored as a new one, and `create` returns it with its key.
    ///
    /// A number is never reused, even after its item is deleted. Items with other ids keep them. The type has 64 bits.
    public static var generated: Self { Self(kind: .generated { $0 == 0 }) }
}

extension ColumnOption where Value == Date {
    /// The store sets the time at which an item was first stored, and ignores the item's own; it cannot be assigned.
    ///
    /// A write that preserves times stores the item's own; see `WriteTransaction.preservesTimes`.
    public static var created: Self { Self(kind: .managed(.created)) }
    /// The store sets the time at which an item was last stored, and ignores the item's own.
    ///
    /// A write that preserves times stores the item's own; see `WriteTransaction.preservesTimes`.
    public static var updated: Self { Self(kind: .managed(.updated)) }
}

/// A column's reference to the key of another entity.
struct ColumnReference: Sendable {
    /// Evaluated lazily, because two schemas may refer to each other.
    let entityName: @Sendable () -> String
    let isComposite: @Sendable () -> Bool
    let keyClasses: @Sendable () -> [StorageClass]
    let rule: DeleteRule

    init<Target: Entity>(_ target: Target.Type, _ rule: DeleteRule) {
        entityName = { Target.entityName }
        isComposite = { Target.schema.isComposite }
        keyClasses = { Target.schema.knownKey?.columns.map(\.storageClass) ?? [] }
        self.rule = rule
    }
}

/// The effect of deleting an item on the items that refer to it.
public enum DeleteRule: String, Sendable, Hashable, CaseIterable {
    /// They are deleted too.
    case cascade
    /// Their reference becomes `nil`.
    case nullify
    /// The deletion is rejected while such items exist.
    case restrict

    var declaration: String {
        switch self {
        case .cascade: "CASCADE"
        case .nullify: "SET NULL"
        case .restrict: "RESTRICT"
        }
    }
}
