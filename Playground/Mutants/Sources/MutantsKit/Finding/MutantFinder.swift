import SwiftSyntax

/// Finds the mutants of one source.
///
/// A wrapped expression is not copied, unless an operator or a name in it changes. A copy has no other mutants, because
/// at most one is switched on.
final class MutantFinder: SyntaxVisitor {
    var sites: [Site] = []
    /// The insertions that all mutants need.
    var preparations: [Insertion] = []
    /// Statements, bodies and types, for compiler messages that do not point at a single expression.
    var blocks: [Range<Int>] = []
    /// The variables that are declared without a value, whose first assignment cannot be left out.
    let unassigned: Set<String>
    let bytes: [UInt8]

    private init(_ bytes: [UInt8], unassigned: Set<String>) {
        (self.bytes, self.unassigned) = (bytes, unassigned)
        super.init(viewMode: .sourceAccurate)
    }

    static func find(in tree: Syntax, bytes: [UInt8]) -> MutantFinder {
        let finder = MutantFinder(bytes, unassigned: Declarations.unassigned(in: tree))
        finder.blocks.append(0..<bytes.count)
        finder.walk(tree)
        return finder
    }

    // Skipped: code that is not evaluated at run time, or is for another platform.

    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: AttributeListSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: KeyPathExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: ExpressionPatternSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: GenericArgumentClauseSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    override func visit(_ node: InitializerClauseSyntax) -> SyntaxVisitorContinueKind {
        // A default argument is compiled into the caller.
        node.parent?.is(FunctionParameterSyntax.self) == true ? .skipChildren : .visitChildren
    }

    // Conditions.

    override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
        guard case .expression(let condition) = node.condition else { return .visitChildren }
        // With a mutant, the compiler would not see that `while true` never ends by itself.
        if condition.is(BooleanLiteralExprSyntax.self) { return .skipChildren }
        negate(condition)
        return .visitChildren
    }

    override func visit(_ node: WhereClauseSyntax) -> SyntaxVisitorContinueKind {
        negate(node.condition)
        return .visitChildren
    }

    override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
        negate(node.condition)
        return .visitChildren
    }

    override func visit(_ node: RepeatStmtSyntax) -> SyntaxVisitorContinueKind {
        negate(node.condition)
        return .visitChildren
    }

    // Operators.

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        guard let sign = node.sign else { return .visitChildren }
        if let other = Self.bounds[sign] {
            replace(node, .bound, sign: other)
            if !node.isCondition, let opposite = Self.opposites[sign] { replace(node, .swapped, sign: opposite) }
        } else if Self.equalities.contains(sign), !node.isCondition {
            negate(node)
        } else if sign == "&&" || sign == "||" {
            exchange(node, sign)
        } else if sign == "..<" || sign == "..." {
            shift(node.rightOperand, by: sign == "..<" ? "+" : "-")
        }
        return .visitChildren
    }

    override func visit(_ node: PrefixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        if ["..<", "..."].contains(node.operator.text) { shift(node.expression, by: "+") }
        guard node.operator.text == "-", let literal = node.expression.as(IntegerLiteralExprSyntax.self) else {
            return .visitChildren
        }
        if let number = Int(literal.literal.text) { choose(node, .number, String(1 - number)) }
        return .skipChildren
    }

    override func visit(_ node: PostfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        if node.operator.text == "..." { shift(node.expression, by: "+") }
        return .visitChildren
    }

    private static let bounds = ["<": "<=", "<=": "<", ">": ">=", ">=": ">"]
    private static let opposites = ["<": ">", "<=": ">=", ">": "<", ">=": "<="]
    private static let equalities: Set = ["==", "!=", "===", "!=="]

    // Literals and names.

    override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        let infix = node.parent?.as(InfixOperatorExprSyntax.self)
        let sign = infix?.sign ?? ""
        // The mutant `x <= 5` of `x < 5` is the same as `x < 6`; likewise for `0..<5`.
        if Self.bounds[sign] != nil || sign == "..<" || sign == "..." { return .skipChildren }
        guard let number = Int(node.literal.text), number < 1_000_000 else { return .skipChildren }
        let isStep = number == 1 && infix?.rightOperand.id == node.id && ["+", "-", "+=", "-="].contains(sign)
        choose(node, isStep ? .bound : .number, String(isStep ? 0 : number + 1))
        return .skipChildren
    }

    override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        choose(node, .flipped, node.literal.text == "true" ? "false" : "true")
        return .skipChildren
    }

    override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
        let name = node.declName.baseName.text
        if node.base == nil, let other = ["ascending": "descending", "descending": "ascending"][name] {
            choose(node, .swapped, "." + other)
        }
        return .visitChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        if let name = node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text {
            if let other = ["min": "max", "max": "min"][name], let arguments = text(node)?.dropFirst(name.count) {
                choose(node, .swapped, other + arguments)
            }
        } else if let member = node.calledExpression.as(MemberAccessExprSyntax.self) {
            switch (member.declName.baseName.text, member.base) {
            case ("failure", nil): choose(node, .terminal, ".finished")
            case ("fail", let base?) where node.arguments.count == 1 && node.trailingClosure == nil:
                if let owner = text(base) { choose(node, .terminal, owner + ".finish()") }
            case ("withLock", _?): leaveUnlocked(node)
            default: break
            }
        }
        return .visitChildren
    }

    // Statements, and the bodies that contain them.

    override func visit(_ node: CodeBlockItemListSyntax) -> SyntaxVisitorContinueKind {
        blocks.append(range(node))
        mutateStatements(node)
        return .visitChildren
    }

    override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
        blocks.append(range(node))
        return .visitChildren
    }

    override func visit(_ node: MemberBlockSyntax) -> SyntaxVisitorContinueKind {
        blocks.append(range(node))
        return .visitChildren
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        blocks.append(range(node))
        if node.name.text == "withLock" { prepareLock(node) }
        return .visitChildren
    }

    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        blocks.append(range(node))
        return .visitChildren
    }
}

/// Finds the names of local variables that are declared without a value.
private final class Declarations: SyntaxVisitor {
    private var names: Set<String> = []

    static func unassigned(in tree: Syntax) -> Set<String> {
        let finder = Declarations(viewMode: .sourceAccurate)
        finder.walk(tree)
        return finder.names
    }

    override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
        let isLocal = node.parent?.parent?.parent?.is(CodeBlockItemSyntax.self) == true
        if isLocal, node.initializer == nil, node.accessorBlock == nil { names.insert(node.pattern.trimmedDescription) }
        return .visitChildren
    }
}
