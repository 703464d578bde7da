#if Macros
    import SwiftDiagnostics
    import SwiftSyntax

    /// The message of a diagnostic or a fix-it.
    struct DiagnosticText: DiagnosticMessage, FixItMessage {
        let message: String
        let id: String

        var severity: DiagnosticSeverity { .error }
        var diagnosticID: MessageID { MessageID(domain: "EntityMacros", id: id) }
        var fixItID: MessageID { diagnosticID }
    }

    extension Diagnostic {
        /// Creates a diagnostic for a node; the diagnostic's id is the name of the calling function.
        init(_ node: some SyntaxProtocol, _ message: String, fixIts: [FixIt] = [], function: String = #function) {
            let id = String(function.prefix { $0 != "(" })
            self.init(node: Syntax(node), message: DiagnosticText(message: message, id: id), fixIts: fixIts)
        }
    }

    extension FixIt {
        init(_ message: String, _ old: some SyntaxProtocol, _ new: some SyntaxProtocol) {
            self.init(
                message: DiagnosticText(message: message, id: "fix"),
                changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))])
        }

        /// Creates a fix-it that inserts text before the first token of a node.
        static func insert(_ message: String, _ text: String, before node: some SyntaxProtocol) -> FixIt {
            let position = node.positionAfterSkippingLeadingTrivia
            return FixIt(message, node, position..<position, text)
        }

        /// Creates a fix-it that removes a node and the space after the node.
        static func remove(_ message: String, _ node: some SyntaxProtocol) -> FixIt {
            FixIt(message, node, node.positionAfterSkippingLeadingTrivia..<node.endPosition, "")
        }

        static func remove(_ attribute: AttributeSyntax) -> FixIt {
            remove("Remove @\(attribute.plainName)", attribute)
        }

        private init(_ message: String, _ node: some SyntaxProtocol, _ range: Range<AbsolutePosition>, _ text: String) {
            self.init(
                message: DiagnosticText(message: message, id: "fix"),
                changes: [.replaceText(range: range, with: text, in: Syntax(node))])
        }
    }
#endif
