/// Builds a condition from the lines of a closure, all of which must hold.
@resultBuilder
public enum ConditionBuilder<Root> {
    /// Does not compile: a condition needs a line.
    @available(*, unavailable, message: "a condition needs at least one line; use .true for every item")
    public static func buildBlock() -> Condition<Root> { .true }

    /// Takes a line.
    public static func buildExpression(_ condition: Condition<Root>) -> Condition<Root> { condition }
    /// Takes the first line.
    public static func buildPartialBlock(first: Condition<Root>) -> Condition<Root> { first }
    /// Takes another line.
    public static func buildPartialBlock(
        accumulated: Condition<Root>, next: Condition<Root>
    ) -> Condition<Root> { accumulated && next }
    /// Takes the lines of an `if` without an `else`; they hold if it is not entered.
    public static func buildOptional(_ condition: Condition<Root>?) -> Condition<Root> { condition ?? .true }
    /// Takes the lines of a branch.
    public static func buildEither(first condition: Condition<Root>) -> Condition<Root> { condition }
    /// Takes the lines of the other branch.
    public static func buildEither(second condition: Condition<Root>) -> Condition<Root> { condition }
    /// Takes the lines of a loop.
    public static func buildArray(_ conditions: [Condition<Root>]) -> Condition<Root> { .all(of: conditions) }
}
