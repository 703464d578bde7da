#if Macros
    import SwiftCompilerPlugin
    import SwiftSyntaxMacros

    /// What the compiler runs to expand `@Entity` and the markers.
    @main
    struct Plugin: CompilerPlugin {
        let providingMacros: [any Macro.Type] = [EntityMacro.self, MarkerMacro.self]
    }
#else
    /// Nothing to expand: without the trait `Macros` there is no swift-syntax.
    @main
    enum Plugin {
        static func main() {}
    }
#endif
