import Foundation

// Arithmetic on terms. Integers and decimal numbers are exact, and a number too large for 64 bits is an error.

/// A type of values that can be added: numbers, and text, which is concatenated.
public protocol AddableValue: OrderedValue {}

/// A type of numbers that terms can compute with.
public protocol ArithmeticValue: NumericValue, AddableValue {}

extension Int: ArithmeticValue {}
extension Int8: ArithmeticValue {}
extension Int16: ArithmeticValue {}
extension Int32: ArithmeticValue {}
extension Int64: ArithmeticValue {}
extension UInt: ArithmeticValue {}
extension UInt8: ArithmeticValue {}
extension UInt16: ArithmeticValue {}
extension UInt32: ArithmeticValue {}
extension UInt64: ArithmeticValue {}
extension Double: ArithmeticValue {}
extension Decimal: ArithmeticValue {}
extension Optional: ArithmeticValue where Wrapped: ArithmeticValue {}
extension String: AddableValue {}
extension Optional: AddableValue where Wrapped: AddableValue {}

/// Adds two numbers, or concatenates two texts.
public func + <Root, Value: AddableValue>(left: Term<Root, Value>, right: Value) -> Term<Root, Value> {
    Term(left, .plus, Term(constant: right))
}

/// Adds two numbers, or concatenates two texts.
public func + <Root, Value: AddableValue>(left: Value, right: Term<Root, Value>) -> Term<Root, Value> {
    Term(Term(constant: left), .plus, right)
}

/// Adds two numbers of one type, or concatenates two texts.
public func + <Root, Value: AddableValue, Other: TermConvertible>(
    left: Term<Root, Value>, right: Other
) -> Term<Root, Value> where Other.Root == Root, Other.Value == Value {
    Term(left, .plus, right.term)
}

/// Adds two numbers, or concatenates two texts; one operand is optional.
@_disfavoredOverload
public func + <Root, Value: AddableValue, Other: TermConvertible>(
    left: Term<Root, Value>, right: Other
) -> Term<Root, Value.Plain?> where Other.Root == Root, Other.Value: AddableValue, Other.Value.Plain == Value.Plain {
    Term(left, .plus, right.term)
}

/// Adds two numbers, or concatenates two texts; the left operand is a property.
@_disfavoredOverload
public func + <Root: Entity, Value: AddableValue>(
    left: KeyPath<Root, Value> & Sendable, right: Value
) -> Term<Root, Value> {
    Term(Term(left), .plus, Term(constant: right))
}

/// Subtracts the right number from the left number.
public func - <Root, Value: ArithmeticValue>(left: Term<Root, Value>, right: Value) -> Term<Root, Value> {
    Term(left, .minus, Term(constant: right))
}

/// Subtracts the right number from the left number.
public func - <Root, Value: ArithmeticValue>(left: Value, right: Term<Root, Value>) -> Term<Root, Value> {
    Term(Term(constant: left), .minus, right)
}

/// Subtracts the right number from the left number; both have one type.
public func - <Root, Value: ArithmeticValue, Other: TermConvertible>(
    left: Term<Root, Value>, right: Other
) -> Term<Root, Value> where Other.Root == Root, Other.Value == Value {
    Term(left, .minus, right.term)
}

/// Subtracts the right number from the left number; one operand is optional.
@_disfavoredOverload
public func - <Root, Value: ArithmeticValue, Other: TermConvertible>(
    left: Term<Root, Value>, right: Other
) -> Term<Root, Value.Plain?> where Other.Root == Root, Other.Value: ArithmeticValue, Other.Value.Plain == Value.Plain {
    Term(left, .minus, right.term)
}

/// Subtracts a number from the value of a property.
@_disfavoredOverload
public func - <Root: Entity, Value: ArithmeticValue>(
    left: KeyPath<Root, Value> & Sendable, right: Value
) -> Term<Root, Value> {
    Term(Term(left), .minus, Term(constant: right))
}

/// Multiplies two numbers.
public func * <Root, Value: ArithmeticValue>(left: Term<Root, Value>, right: Value) -> Term<Root, Value> {
    Term(left, .times, Term(constant: right))
}

/// Multiplies two numbers.
public func * <Root, Value: ArithmeticValue>(left: Value, right: Term<Root, Value>) -> Term<Root, Value> {
    Term(Term(constant: left), .times, right)
}

/// Multiplies two numbers of one type.
public func * <Root, Value: ArithmeticValue, Other: TermConvertible>(
    left: Term<Root, Value>, right: Other
) -> Term<Root, Value> where Other.Root == Root, Other.Value == Value {
    Term(left, .times, right.term)
}

/// Multiplies two numbers; one operand is optional.
@_disfavoredOverload
public func * <Root, Value: ArithmeticValue, Other: TermConvertible>(
    left: Term<Root, Value>, right: Other
) -> Term<Root, Value.Plain?> where Other.Root == Root, Other.Value: ArithmeticValue, Other.Value.Plain == Value.Plain {
    Term(left, .times, right.term)
}

/// Multiplies the value of a property by a number.
@_disfavoredOverload
public func * <Root: Entity, Value: ArithmeticValue>(
    left: KeyPath<Root, Value> & Sendable, right: Value
) -> Term<Root, Value> {
    Term(Term(left), .times, Term(constant: right))
}

/// Divides by a number, which must not be zero; integer division rounds towards zero.
public func / <Root, Value: ArithmeticValue>(left: Term<Root, Value>, right: Value) -> Term<Root, Value>
where Value.Average == Double {
    Term(left, .dividedBy, Term(constant: right))
}

/// Divides two numbers; `nil` if the second is zero.
///
/// Integer division rounds towards zero.
public func / <Root, Value: ArithmeticValue, Other: TermConvertible>(
    left: Term<Root, Value>, right: Other
) -> Term<Root, Value.Plain?>
where Other.Root == Root, Other.Value: ArithmeticValue, Other.Value.Plain == Value.Plain, Value.Average == Double {
    Term(left, .dividedBy, right.term)
}

/// Returns the remainder of a division by a number that is not zero; the remainder has the sign of the dividend.
public func % <Root, Value: ArithmeticValue>(left: Term<Root, Value>, right: Value) -> Term<Root, Value>
where Value.Sum == Int {
    Term(left, .remainder, Term(constant: right))
}

/// Returns the remainder of a division, with the sign of the dividend; `nil` if the divisor is zero.
public func % <Root, Value: ArithmeticValue, Other: TermConvertible>(
    left: Term<Root, Value>, right: Other
) -> Term<Root, Value.Plain?>
where Other.Root == Root, Other.Value: ArithmeticValue, Other.Value.Plain == Value.Plain, Value.Sum == Int {
    Term(left, .remainder, right.term)
}

extension Term where Value: ArithmeticValue {
    /// Returns the number with the opposite sign.
    public static prefix func - (term: Term) -> Term {
        Term { () throws(RepositoryError) in try term.value().negated() }
    }

    /// The number without its sign; fails for the least `Int64`, whose magnitude is too large.
    public var magnitude: Term {
        Term { () throws(RepositoryError) in
            let value = try value()
            return try TermValue(
                .operation(.magnitude, [value.term]), of: [value], isOptional: value.isOptional, value.storageClass,
                scale: value.scale)
        }
    }
}

extension Term where Value: ArithmeticValue & FixedWidthInteger {
    /// Converts an integer to the nearest floating-point number, as `Double(_:)` does.
    ///
    /// ```swift
    /// let halves = Article.all.select { $0.year.cast(as: Double.self) / 2 }
    /// ```
    public func cast(as type: Double.Type) -> Term<Root, Double> { casted() }
}

extension Term {
    /// Converts an integer to the nearest floating-point number; `nil` stays `nil`.
    public func cast<Number: ArithmeticValue & FixedWidthInteger>(
        as type: Double.Type
    ) -> Term<Root, Double?> where Value == Number? { casted() }

    private func casted<Output>() -> Term<Root, Output> {
        Term<Root, Output> { () throws(RepositoryError) in
            let value = try value()
            return try TermValue(.real(value.term), of: [value], isOptional: value.isOptional, .real)
        }
    }
}

extension Term where Root: Entity {
    /// Creates the term of a property of a query's only table.
    init(_ path: KeyPath<Root, Value> & Sendable) {
        self.init { () throws(RepositoryError) in try TermValue(path, of: nil) }
    }
}

extension Term {
    fileprivate init<Left, Right>(_ left: Term<Root, Left>, _ operation: Arithmetic, _ right: Term<Root, Right>) {
        self.init { () throws(RepositoryError) in try left.value().with(operation, try right.value()) }
    }
}

extension Term where Value: ColumnValue {
    fileprivate init(constant: Value) {
        self.init { () throws(RepositoryError) in try TermValue(constant: constant) }
    }
}

extension TermValue {
    init<Value: ColumnValue>(constant value: Value) throws(RepositoryError) {
        var scale = 0
        if Value.isScaled {
            // Swift converts a literal through `Double`, so that 1234.56 becomes a number with more decimal places.
            // `sqlValue` recognizes such a number, and stores the literal at the literal's scale or any greater scale.
            let places = 0...ScaledDecimal.maximumScale
            scale = places.first { (try? value.sqlValue(scale: $0)) != nil } ?? ScaledDecimal.maximumScale
        }
        do {
            let stored = try value.sqlValue(scale: scale)
            self.init(.constant(stored), isOptional: stored == .null, Value.storageClass, scale: scale)
        } catch {
            throw .encoding(error, entity: "expression", column: "constant")
        }
    }

    fileprivate func isConstant(_ value: SQLValue) -> Bool {
        guard case .constant(let constant) = term else { return false }
        return constant == value
    }

    func negated() throws(RepositoryError) -> TermValue {
        try TermValue(
            checked(.operation(.negated, [term])), of: [self], isOptional: isOptional, storageClass, scale: scale)
    }

    func with(_ operation: Arithmetic, _ other: TermValue) throws(RepositoryError) -> TermValue {
        var (left, right, scale) = (self, other, self.scale + other.scale)
        if operation != .times {
            (left, right) = try Self.aligned(self, other)
            scale = left.scale
        }
        guard scale <= ScaledDecimal.maximumScale else {
            throw .misuse(detail: "a product has \(scale) decimal places, more than the limit of 18")
        }
        let isDivision = operation == .dividedBy || operation == .remainder
        if isDivision, [.integer(0), .real(0)].contains(where: { right.isConstant($0) }) {
            throw .misuse(detail: "an expression divides by zero")
        }
        let isConstant = if case .constant = right.term { true } else { false }
        let isJoined = storageClass == .text
        let result = StoredTerm.operation(isJoined ? .joined : .arithmetic(operation), [left.term, right.term])
        // A remainder always fits. A quotient is too large only if the least integer is divided by -1.
        let isSmall =
            storageClass == .integer
            && (operation == .remainder || operation == .dividedBy && isConstant && !right.isConstant(.integer(-1)))
        return try TermValue(
            isSmall ? result : checked(result), of: [left, right],
            isOptional: left.isOptional || right.isOptional || isDivision && !isConstant, storageClass, scale: scale,
            mayBeNaN: storageClass == .real)
    }

    /// Returns the result with a check: an integer too large for 64 bits fails, and NaN becomes NULL.
    private func checked(_ result: StoredTerm) -> StoredTerm {
        switch storageClass {
        case .integer: .checked(result)
        case .real: .unlessNaN(result)
        default: result
        }
    }
}
