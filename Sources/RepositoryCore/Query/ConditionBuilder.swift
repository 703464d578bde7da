/// Builds a condition from the lines of a closure, all of which must hold.
@resultBuilder
public enum ConditionBuilder<Root> {
    /// Does not compile: a condition needs at least one line.
    @available(*, unavailable, message: "a condition needs at least one line; use .true for every item")
    public static func buildBlock() -> Condition<Root> { .true }

    /// Accepts a line of the closure.
    public static func buildExpression(_ condition: Condition<Root>) -> Condition<Root> { condition }
    /// Begins a condition with the first line.
    public static func buildPartialBlock(first: Condition<Root>) -> Condition<Root> { first }
    /// Adds a line, which must hold in addition to the lines before it.
    public static func buildPartialBlock(
        accumulated: Condition<Root>, next: Condition<Root>
    ) -> Condition<Root> { accumulated && next }
    /// Accepts the lines of an `if` without an `else`; the result is true if the `if` is not entered.
    public static func buildOptional(_ condition: Condition<Root>?) -> Condition<Root> { condition ?? .true }
    /// Accepts the lines of the first branch of an `if` or a `switch`.
    public static func buildEither(first condition: Condition<Root>) -> Condition<Root> { condition }
    /// Accepts the lines of the second branch of an `if` or a `switch`.
    public static func buildEither(second condition: Condition<Root>) -> Condition<Root> { condition }
    /// Accepts the lines of a loop, all of which must hold.
    public static func buildArray(_ conditions: [Condition<Root>]) -> Condition<Root> { .all(of: conditions) }
}
