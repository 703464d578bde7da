/// Makes a condition of parts, a part a line, which all have to hold.
@resultBuilder
public enum ConditionBuilder<Root> {
    /// Does not compile: a condition has a part.
    @available(*, unavailable, message: "a condition has a part or more: .true is met by every item")
    public static func buildBlock() -> Condition<Root> { .true }

    /// Takes a part.
    public static func buildExpression(_ condition: Condition<Root>) -> Condition<Root> { condition }
    /// Takes the first part.
    public static func buildPartialBlock(first: Condition<Root>) -> Condition<Root> { first }
    /// Takes another part.
    public static func buildPartialBlock(
        accumulated: Condition<Root>, next: Condition<Root>
    ) -> Condition<Root> { accumulated && next }
    /// Takes the parts of an `if` without an `else`, which hold when it is not entered.
    public static func buildOptional(_ condition: Condition<Root>?) -> Condition<Root> { condition ?? .true }
    /// Takes the parts of a branch.
    public static func buildEither(first condition: Condition<Root>) -> Condition<Root> { condition }
    /// Takes the parts of the other branch.
    public static func buildEither(second condition: Condition<Root>) -> Condition<Root> { condition }
    /// Takes the parts of a loop.
    public static func buildArray(_ conditions: [Condition<Root>]) -> Condition<Root> { .all(of: conditions) }
}
