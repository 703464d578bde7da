import SwiftSyntax

extension MutantFinder {
    private static let number = String(Insertion.number)

    /// Leaves statements out, and exchanges neighbours.
    func mutateStatements(_ list: CodeBlockItemListSyntax) {
        let items = Array(list)
        for (first, second) in zip(items, items.dropFirst()) where isMovable(first) && isMovable(second) {
            if first.isCall || second.isCall { swap(first, second) }
        }
        for item in items {
            if item.isJump {
                if item.mayFallThrough { leaveOut(item, .returned) }
            } else if isMovable(item), !item.isValue {
                leaveOut(item, item.isRelease ? .released : .leftOut)
            }
        }
    }

    /// Whether it may be left out, or exchanged with its neighbour.
    private func isMovable(_ item: CodeBlockItemSyntax) -> Bool {
        item.isEffect && !item.isInitialization && !item.isAssignment(toOneOf: unassigned)
    }

    private func leaveOut(_ item: CodeBlockItemSyntax, _ kind: Mutant.Kind) {
        let range = range(item.item)
        sites.append(
            Site(
                kind: kind, range: range, replacement: "",
                insertions: [
                    .opening("if !mutant_at(\(Self.number)) { ", at: range.lowerBound),
                    .closing(" }", at: range.upperBound),
                ]))
    }

    /// Adds `if mutant_at(17) { second }; first`, and then `if !mutant_at(17) { second }`.
    private func swap(_ first: CodeBlockItemSyntax, _ second: CodeBlockItemSyntax) {
        guard let (one, two) = text(first.item).flatMap({ one in text(second.item).map { (one, $0) } }) else { return }
        let (start, range) = (range(first.item).lowerBound, range(second.item))
        sites.append(
            Site(
                kind: .swapped, range: start..<range.upperBound, replacement: "\(two); \(one)",
                original: "\(one); \(two)",
                insertions: [
                    .opening("if mutant_at(\(Self.number)) { \(two) }; ", at: start),
                    .opening("if !mutant_at(\(Self.number)) { ", at: range.lowerBound),
                    .closing(" }", at: range.upperBound),
                ]))
    }
}

extension CodeBlockItemSyntax {
    /// The statement's expression, without `try`, `await` and optional chaining.
    private var expression: ExprSyntax? {
        guard case .expr(var expression) = item else { return nil }
        while true {
            if let inner = expression.as(TryExprSyntax.self)?.expression {
                expression = inner
            } else if let inner = expression.as(AwaitExprSyntax.self)?.expression {
                expression = inner
            } else if let inner = expression.as(OptionalChainingExprSyntax.self)?.expression {
                expression = inner
            } else {
                return expression
            }
        }
    }

    fileprivate var isCall: Bool { expression?.is(FunctionCallExprSyntax.self) == true }

    private var assignment: InfixOperatorExprSyntax? {
        guard let infix = expression?.as(InfixOperatorExprSyntax.self) else { return nil }
        if infix.operator.is(AssignmentExprSyntax.self) { return infix }
        guard let sign = infix.sign, sign.hasSuffix("="), !["==", "!=", "<=", ">=", "===", "!=="].contains(sign) else {
            return nil
        }
        return infix
    }

    /// Whether it has an effect, and no value that is used.
    fileprivate var isEffect: Bool {
        guard let call = expression?.as(FunctionCallExprSyntax.self) else { return assignment != nil }
        let name = call.calledExpression.as(MemberAccessExprSyntax.self)
        return name?.declName.baseName.text != "init" && call.calledExpression.trimmedDescription != "fatalError"
    }

    fileprivate func isAssignment(toOneOf names: Set<String>) -> Bool {
        assignment.map { names.contains($0.leftOperand.trimmedDescription) } ?? false
    }

    fileprivate var isRelease: Bool {
        if let assignment { return assignment.rightOperand.is(NilLiteralExprSyntax.self) }
        let callee = expression?.as(FunctionCallExprSyntax.self)?.calledExpression
        let name =
            callee?.as(MemberAccessExprSyntax.self)?.declName.baseName.text
            ?? callee?.as(DeclReferenceExprSyntax.self)?.baseName.text ?? ""
        return ["cancel", "release", "removeAll", "close", "destroy", "invalidate", "releaseSession"].contains(name)
    }

    /// Whether it gives a property its first value.
    fileprivate var isInitialization: Bool {
        guard let target = assignment?.leftOperand, isInInitializer else { return false }
        return target.is(DeclReferenceExprSyntax.self) || target.is(TupleExprSyntax.self)
            || target.as(MemberAccessExprSyntax.self)?.base?.trimmedDescription == "self"
    }

    private var isInInitializer: Bool {
        var node = parent
        while let present = node, !present.is(ClosureExprSyntax.self), !present.is(FunctionDeclSyntax.self) {
            if present.is(InitializerDeclSyntax.self) { return true }
            node = present.parent
        }
        return false
    }

    fileprivate var isJump: Bool {
        guard case .stmt(let statement) = item else { return false }
        return [SyntaxKind.returnStmt, .throwStmt, .breakStmt, .continueStmt].contains(statement.kind)
    }

    /// Whether the code compiles without a jump in an `if`: it is a `break` or `continue`, or code follows.
    fileprivate var mayFallThrough: Bool {
        guard let branch = parent?.parent?.parent?.as(IfExprSyntax.self), branch.elseBody == nil,
            case .stmt(let statement) = item
        else { return false }
        if statement.is(BreakStmtSyntax.self) || statement.is(ContinueStmtSyntax.self) { return true }
        guard let outer = branch.parent?.parent?.as(CodeBlockItemSyntax.self) ?? branch.parent?.as(Self.self),
            let list = outer.parent?.as(CodeBlockItemListSyntax.self)
        else { return false }
        return list.last?.id != outer.id
    }

    /// Whether it is the only expression of a body, and so may be its value.
    fileprivate var isValue: Bool {
        guard let list = parent?.as(CodeBlockItemListSyntax.self), list.count == 1, assignment == nil,
            let owner = list.parent
        else { return false }
        if owner.is(AccessorBlockSyntax.self) { return true }
        if let closure = owner.as(ClosureExprSyntax.self) { return !closure.isWithoutValue }
        if owner.is(SwitchCaseSyntax.self) { return isValue(of: owner.parent?.parent) }
        guard let body = owner.parent else { return false }
        if let function = body.as(FunctionDeclSyntax.self) { return function.signature.returnClause != nil }
        if let accessor = body.as(AccessorDeclSyntax.self) { return accessor.accessorSpecifier.text == "get" }
        return body.is(IfExprSyntax.self) && isValue(of: body)
    }

    /// Whether a whole `if` or `switch` is used as a value.
    private func isValue(of branches: Syntax?) -> Bool {
        guard let parent = branches?.parent else { return false }
        if parent.is(IfExprSyntax.self) { return isValue(of: parent) }
        guard parent.is(ExpressionStmtSyntax.self) || parent.is(CodeBlockItemSyntax.self) else { return true }
        return (parent.as(CodeBlockItemSyntax.self) ?? parent.parent?.as(CodeBlockItemSyntax.self))?.isBodyValue == true
    }

    /// Whether it is alone in its body, in the position of the body's value.
    private var isBodyValue: Bool {
        guard let list = parent?.as(CodeBlockItemListSyntax.self), list.count == 1 else { return false }
        return isAloneInBody(list)
    }

    private func isAloneInBody(_ list: CodeBlockItemListSyntax) -> Bool {
        guard let owner = list.parent else { return false }
        if owner.is(AccessorBlockSyntax.self) || owner.is(ClosureExprSyntax.self) { return true }
        if owner.is(SwitchCaseSyntax.self) { return isValue(of: owner.parent?.parent) }
        if let function = owner.parent?.as(FunctionDeclSyntax.self) { return function.signature.returnClause != nil }
        if owner.parent?.is(IfExprSyntax.self) == true { return isValue(of: owner.parent) }
        return false
    }
}

extension ClosureExprSyntax {
    /// Whether its label or its function says that it returns nothing; its only expression does not show it.
    fileprivate var isWithoutValue: Bool {
        if let argument = parent?.as(LabeledExprSyntax.self), let label = argument.label?.text {
            return Self.labels.contains(label)
        }
        let callee = parent?.as(FunctionCallExprSyntax.self)?.calledExpression
        let name =
            callee?.as(MemberAccessExprSyntax.self)?.declName.baseName.text
            ?? callee?.as(DeclReferenceExprSyntax.self)?.baseName.text
        return name.map(Self.callees.contains) ?? false
    }

    private static let labels: Set = [
        "cancel", "onCancel", "request", "onRequest", "onCompletion", "onUpstream", "fail", "onEnd",
    ]
    private static let callees: Set = ["schedule", "async", "forEach", "perform", "begin", "SignalToken"]
}
