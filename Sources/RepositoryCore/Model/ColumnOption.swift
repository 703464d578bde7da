public import Foundation

/// An attribute of a column beyond its name and type.
public struct ColumnOption<Value: Sendable>: Sendable {
    enum Kind: Sendable {
        case key
        case indexed
        case unique
        case defaultValue(Value)
        case scale(Int, Decimal.RoundingMode?)
        case dimensions(Int)
        case reference(ColumnReference)
        case managed(ManagedValue)
        /// The store assigns the key of items whose id passes the test.
        case generated(@Sendable (Value) -> Bool)
    }

    let kind: Kind

    /// The column is the entity's key.
    ///
    /// Needed only if the column's path is not `\.id`.
    public static var key: Self { Self(kind: .key) }
    /// The column has an index, so that conditions and orderings on it are fast.
    public static var indexed: Self { Self(kind: .indexed) }
    /// No two items have the same value, but any number of items may have `nil`.
    public static var unique: Self { Self(kind: .unique) }
    /// Items that were stored before the column existed get this value.
    public static func `default`(_ value: Value) -> Self { Self(kind: .defaultValue(value)) }
    /// The number of decimal places, 0 to 18, that a `Decimal` is stored with; 4 by default.
    ///
    /// A number with more places cannot be stored.
    public static func scale(_ places: Int) -> Self { Self(kind: .scale(places, nil)) }

    /// The number of decimal places, 0 to 18, that a `Decimal` is stored with; a number with more places is rounded.
    ///
    /// An item that is read has the rounded number. Values in conditions are not rounded.
    public static func scale(_ places: Int, rounding mode: Decimal.RoundingMode) -> Self
    where Value: ColumnValue, Value.Plain == Decimal {
        Self(kind: .scale(places, mode))
    }

    /// The number of components of the vectors, at least 1; a vector with another number cannot be stored.
    public static func dimensions(_ count: Int) -> Self where Value: ColumnValue, Value.Plain == Vector {
        Self(kind: .dimensions(count))
    }

    /// The column holds the id of an existing item of another entity, or `nil` if the property is optional.
    public static func references<Target: Entity>(
        _ target: Target.Type, onDelete rule: DeleteRule = .restrict
    ) -> Self where Value: ColumnValue, Value.Plain == Target.ID.Plain {
        Self(kind: .reference(ColumnReference(target, rule)))
    }
}

// Unavailable options, so that the compiler's error says which property types can have them.
extension ColumnOption {
    /// Does not compile: the store generates only whole numbers.
    @available(*, unavailable, message: "the store generates numbers: a generated key is an Int or an Int64")
    @_disfavoredOverload
    public static var generated: Self { Self(kind: .key) }

    /// Does not compile: the store manages only dates that are not optional.
    @available(*, unavailable, message: "the store manages a property of type Date, not an optional one")
    @_disfavoredOverload
    public static var created: Self { Self(kind: .key) }

    /// Does not compile: the store manages only dates that are not optional.
    @available(*, unavailable, message: "the store manages a property of type Date, not an optional one")
    @_disfavoredOverload
    public static var updated: Self { Self(kind: .key) }
}

extension ColumnOption where Value: FixedWidthInteger {
    /// The store assigns the key: an item whose id is 0 is stored as a new item, and `create` returns it with its key.
    ///
    /// A number is never reused, even after its item is deleted. An item with any other id keeps its id. The type of
    /// the property must have 64 bits.
    public static var generated: Self { Self(kind: .generated { $0 == 0 }) }
}

extension ColumnOption where Value == Date {
    /// The store sets the time at which an item is first stored, and ignores the time in the item.
    ///
    /// An update cannot assign the column. A write that preserves times stores the item's time; see
    /// `WriteTransaction.preservesTimes`.
    public static var created: Self { Self(kind: .managed(.created)) }
    /// The store sets the time at which an item is last stored, and ignores the time in the item.
    ///
    /// A write that preserves times stores the item's time; see `WriteTransaction.preservesTimes`.
    public static var updated: Self { Self(kind: .managed(.updated)) }
}

/// A foreign key: a column's reference to the key of another entity.
struct ColumnReference: Sendable {
    /// Returns the name of the other entity; a closure, because that entity's schema may refer back to this one.
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

/// The effect that deleting an item has on the items that refer to it.
public enum DeleteRule: String, Sendable, Hashable, CaseIterable {
    /// The referring items are deleted too.
    case cascade
    /// The references to the deleted item become `nil`.
    case nullify
    /// The item cannot be deleted while other items refer to it.
    case restrict

    var declaration: String {
        switch self {
        case .cascade: "CASCADE"
        case .nullify: "SET NULL"
        case .restrict: "RESTRICT"
        }
    }
}
