import SwiftSyntax

extension MutantFinder {
    private static let number = String(Insertion.number)

    func range(_ node: some SyntaxProtocol) -> Range<Int> {
        let start = node.positionAfterSkippingLeadingTrivia.utf8Offset
        return start..<max(start, node.endPositionBeforeTrailingTrivia.utf8Offset)
    }

    /// The text of a node on one line; nil if statements, a comment or a multiline string need their lines.
    func text(_ node: some SyntaxProtocol) -> String? {
        let text = String(decoding: bytes[range(node)], as: UTF8.self)
        guard text.contains("\n") else { return text }
        guard !text.contains("//"), !text.contains("\"\"\""), !Statements.areNeighbours(in: node) else { return nil }
        return text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
    }

    private func wrap(
        _ node: some SyntaxProtocol, _ kind: Mutant.Kind, _ opening: String, _ closing: String, shown: String
    ) {
        let range = range(node)
        sites.append(
            Site(
                kind: kind, range: range, replacement: shown,
                insertions: [.opening(opening, at: range.lowerBound), .closing(closing, at: range.upperBound)]))
    }

    /// Adds `mutant_not(17, condition)`, without a copy of the condition.
    func negate(_ node: some ExprSyntaxProtocol) {
        let text = text(node) ?? "…"
        let isPlain = !text.contains(" ")
        var shown = isPlain ? "!" + text : "!(\(text))"
        if isPlain, text.hasPrefix("!") { shown = String(text.dropFirst()) }
        wrap(node, .negated, "mutant_not(\(Self.number), ", ")", shown: shown)
    }

    /// Adds `mutant_bool(mutant_at(17) ? a <= b : a < b)`; the call fixes the type for the type checker.
    func replace(_ node: InfixOperatorExprSyntax, _ kind: Mutant.Kind, sign: String) {
        guard let left = text(node.leftOperand), let right = text(node.rightOperand) else { return }
        let mutated = "\(left) \(sign) \(right)"
        wrap(node, kind, "mutant_bool(mutant_at(\(Self.number)) ? \(mutated) : ", ")", shown: mutated)
    }

    /// Exchanges `&&` and `||` by negations: `a || b` is `!(!a && !b)`, so the operator itself stays.
    func exchange(_ node: InfixOperatorExprSyntax, _ sign: String) {
        let (whole, left, right) = (range(node), range(node.leftOperand), range(node.rightOperand))
        let not = "mutant_not(\(Self.number), "
        let other = sign == "&&" ? "||" : "&&"
        let shown = "\(text(node.leftOperand) ?? "…") \(other) \(text(node.rightOperand) ?? "…")"
        sites.append(
            Site(
                kind: .exchanged, range: whole, replacement: shown,
                insertions: [
                    .opening(not + not, at: whole.lowerBound), .closing(")", at: left.upperBound),
                    .opening(not, at: right.lowerBound), .closing("))", at: whole.upperBound),
                ]))
    }

    /// Moves the end of a range by one.
    func shift(_ node: some ExprSyntaxProtocol, by sign: String) {
        let text = text(node) ?? "…"
        wrap(
            node, .bound, "((", ") \(sign) (mutant_at(\(Self.number)) ? 1 : 0))",
            shown: text.contains(" ") ? "(\(text)) \(sign) 1" : "(\(text) \(sign) 1)")
    }

    /// Adds `(mutant_at(17) ? other : original)`.
    func choose(_ node: some ExprSyntaxProtocol, _ kind: Mutant.Kind, _ other: String) {
        wrap(node, kind, "(mutant_at(\(Self.number)) ? \(other) : ", ")", shown: other)
    }

    /// Adds `lock.withLock(leftEarly: 17) { … }`, whose parameter `prepareLock` declares.
    func leaveUnlocked(_ node: FunctionCallExprSyntax) {
        let callee = range(node.calledExpression)
        let argument = "leftEarly: \(Self.number)"
        let insertion: Insertion =
            if let parenthesis = node.leftParen {
                .opening(argument + (node.arguments.isEmpty ? "" : ", "), at: range(parenthesis).upperBound)
            } else {
                .opening("(\(argument))", at: callee.upperBound)
            }
        let shown = (text(node.calledExpression) ?? "").replacing("withLock", with: "withoutLock")
        sites.append(Site(kind: .unlocked, range: callee, replacement: shown, insertions: [insertion]))
    }

    /// Adds to `withLock` the parameter with which a caller skips the lock.
    func prepareLock(_ node: FunctionDeclSyntax) {
        let parenthesis = range(node.signature.parameterClause.leftParen).upperBound
        preparations.append(.opening("leftEarly mutant: Int32 = 0, ", at: parenthesis))
        for call in LockCalls.find(in: node) {
            let range = range(call)
            preparations.append(.opening("if !mutant_at(mutant) { ", at: range.lowerBound))
            preparations.append(.closing(" }", at: range.upperBound))
        }
    }
}

/// Finds two statements in a row, or the cases of a `switch`.
private final class Statements: SyntaxVisitor {
    private var areNeighbours = false

    static func areNeighbours(in node: some SyntaxProtocol) -> Bool {
        let finder = Statements(viewMode: .sourceAccurate)
        finder.walk(node)
        return finder.areNeighbours
    }

    override func visit(_ node: CodeBlockItemListSyntax) -> SyntaxVisitorContinueKind {
        if node.count > 1 { areNeighbours = true }
        return .visitChildren
    }

    override func visit(_ node: SwitchCaseListSyntax) -> SyntaxVisitorContinueKind {
        areNeighbours = true
        return .skipChildren
    }
}

/// Finds the calls that take and release the lock of each platform.
private final class LockCalls: SyntaxVisitor {
    private var calls: [FunctionCallExprSyntax] = []

    static func find(in node: FunctionDeclSyntax) -> [FunctionCallExprSyntax] {
        let finder = LockCalls(viewMode: .sourceAccurate)
        finder.walk(node)
        return finder.calls
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        let name = node.calledExpression.trimmedDescription
        if name.hasSuffix("_lock") || name.hasSuffix("_unlock") { calls.append(node) }
        return .visitChildren
    }
}

extension InfixOperatorExprSyntax {
    var sign: String? { self.operator.as(BinaryOperatorExprSyntax.self)?.operator.text }

    /// Whether it is the whole condition of an `if`, a `guard`, a loop or a `? :`, which is negated anyway.
    var isCondition: Bool {
        var node = Syntax(self)
        while let parent = node.parent {
            if parent.is(ConditionElementSyntax.self) || parent.is(WhereClauseSyntax.self) { return true }
            if let ternary = parent.as(TernaryExprSyntax.self) { return ternary.condition.id == node.id }
            if let loop = parent.as(RepeatStmtSyntax.self) { return loop.condition.id == node.id }
            guard parent.is(TryExprSyntax.self) || parent.is(AwaitExprSyntax.self) else { return false }
            node = parent
        }
        return false
    }
}
